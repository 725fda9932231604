-- Nothing happens unless the request still runs and is the one that was started with the token.
-- KEYS  request
-- ARGV  token, answer (empty: let go without one), when the answer is forgotten, milliseconds to keep it
local token, answer = unpack(redis.call('HMGET', KEYS[1], 'token', 'answer'))
if token ~= ARGV[1] or answer then return end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
  return
end
redis.call('HSET', KEYS[1], 'answer', ARGV[2], 'ends', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
