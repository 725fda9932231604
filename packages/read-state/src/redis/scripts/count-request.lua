-- KEYS  window
-- ARGV  number of the second, limit, milliseconds to keep it
-- Returns the number of the window that counted, whether the request is allowed, and how many were.
local window, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local stored = redis.call('HMGET', KEYS[1], 'window', 'count')
local count = 0
-- A clock that steps back counts into the newest window and opens no second allowance.
if stored[1] and tonumber(stored[1]) >= window then
  window, count = tonumber(stored[1]), tonumber(stored[2])
end
local allowed = count < limit
if allowed then count = count + 1 end
redis.call('HSET', KEYS[1], 'window', window, 'count', count)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return { window, allowed and 1 or 0, count }
