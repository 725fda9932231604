-- The new sum of one partition; the month's total follows.
-- KEYS  credits of tenant and month
-- ARGV  partition, tenths, offset
local tenths_of, offset_of = 'tenths:' .. ARGV[1], 'offset:' .. ARGV[1]
if tonumber(redis.call('HGET', KEYS[1], offset_of) or -1) >= tonumber(ARGV[3]) then return end
local before = tonumber(redis.call('HGET', KEYS[1], tenths_of) or 0)
redis.call('HSET', KEYS[1], tenths_of, ARGV[2], offset_of, ARGV[3])
redis.call('HINCRBY', KEYS[1], 'projected', tonumber(ARGV[2]) - before)
