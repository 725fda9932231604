-- KEYS  hash of numbers
-- ARGV  field, number, field, number …: a field never goes down
for index = 1, #ARGV, 2 do
  local stored = tonumber(redis.call('HGET', KEYS[1], ARGV[index]) or 0)
  if tonumber(ARGV[index + 1]) > stored then
    redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
  end
end
