-- KEYS  request
-- ARGV  digest of the body, token of this start, milliseconds since the epoch, when it is let go, milliseconds to keep it
-- Returns started, running or other-body; or answered and the answer.
local digest, answer, ends = unpack(redis.call('HMGET', KEYS[1], 'digest', 'answer', 'ends'))
if ends and tonumber(ends) > tonumber(ARGV[3]) then
  if digest ~= ARGV[1] then return { 'other-body' } end
  if answer then return { 'answered', answer } end
  return { 'running' }
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'token', ARGV[2], 'ends', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return { 'started' }
