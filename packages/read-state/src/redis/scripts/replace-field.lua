-- KEYS  hash
-- ARGV  field, its value as it was read (empty: there was none), new value
-- Returns whether nobody had changed it since.
local stored = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if stored ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
