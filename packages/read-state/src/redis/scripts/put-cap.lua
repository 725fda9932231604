-- KEYS  cap of a tenant
-- ARGV  tenths (empty: no cap), offset
if tonumber(redis.call('HGET', KEYS[1], 'offset') or -1) >= tonumber(ARGV[2]) then return end
redis.call('HSET', KEYS[1], 'tenths', ARGV[1], 'offset', ARGV[2])
