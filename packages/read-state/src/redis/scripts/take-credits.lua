-- KEYS  credits of tenant and month, cap of the tenant
-- ARGV  tenths to take; below zero: to give back
-- Returns whether they were taken, and the tenths used after it or else the cap.
local function number(field) return tonumber(redis.call('HGET', KEYS[1], field) or 0) end

local taken = math.max(number('projected'), number('taken'))
local tenths = tonumber(ARGV[1])
local used = taken + number('settled')
local cap = tonumber(redis.call('HGET', KEYS[2], 'tenths') or '')
if tenths > 0 and cap and used + number('held') >= cap then return { 0, cap } end
redis.call('HSET', KEYS[1], 'taken', math.max(0, taken + tenths))
return { 1, used + tenths }
