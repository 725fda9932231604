-- KEYS  bucket
-- ARGV  tokens a second, tokens at most, milliseconds since the epoch, milliseconds to keep it
-- Returns 0 when a token was taken, else the milliseconds until there is one.
local rate, burst, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(stored[1] or burst), tonumber(stored[2] or now)
-- A clock that steps back gives no tokens and takes none.
tokens = math.min(burst, tokens + math.max(0, now - at) * rate / 1000)
local allowed = tokens >= 1
if allowed then tokens = tokens - 1 end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', math.max(now, at))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if allowed then return 0 end
return math.ceil((1 - tokens) * 1000 / rate)
