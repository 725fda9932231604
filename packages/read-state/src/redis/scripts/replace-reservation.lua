-- KEYS  reservation, credits of tenant and month
-- ARGV  the reservation as it was read (empty: there was none), the new one, change of what is held, of what is settled
-- Returns whether nobody had changed it since.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], 'held', ARGV[3])
redis.call('HINCRBY', KEYS[2], 'settled', ARGV[4])
return 1
