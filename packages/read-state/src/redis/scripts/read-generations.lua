-- KEYS  hashes of users' generations
-- Returns the generation of each, in their order; none was ever raised: false.
local generations = {}
for at, key in ipairs(KEYS) do generations[at] = redis.call('HGET', key, 'generation') end
return generations
