-- A record and its place in its tenant's list.
-- KEYS  record, list
-- ARGV  record, member of the list
-- A record begins with its offset as a little-endian double.
local stored = redis.call('GETRANGE', KEYS[1], 0, 7)
if #stored == 8 and struct.unpack('<d', stored) >= struct.unpack('<d', ARGV[1]) then return end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], 0, ARGV[2])
