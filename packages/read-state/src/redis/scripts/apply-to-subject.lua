-- All changes of one call to one subject.
-- KEYS  row of the user, contents read, contents sent, sessions with a part of the subject
-- ARGV  read marks kept, sent marks kept, then changes in order, each a name and its arguments:
--         put OFFSET ROW | read CONTENT | sent PACKED-MARKS | session REF | forget OFFSET ROW
-- Returns whether the subject is forgotten, whether a deletion counted, and the sessions to remove its parts from.
local user, read, sent, sessions = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local read_max, sent_max = tonumber(ARGV[1]), tonumber(ARGV[2])
-- Contents that were read so shortly before are not marked twice.
local MARKED_LATELY = 128

-- A row begins with its kind, 0 for a forgotten user, and its offset as a little-endian double.
local function head()
  local bytes = redis.call('GETRANGE', user, 0, 8)
  if #bytes < 9 then return false, -1 end
  return bytes:byte(1) == 0, (struct.unpack('<d', bytes, 2))
end

local forgotten, offset = head()

local function put(at, row)
  if forgotten or offset >= at then return end
  redis.call('SET', user, row)
  offset = at
end

local function mark_read(content)
  if forgotten or redis.call('LPOS', read, content, 'RANK', -1, 'MAXLEN', MARKED_LATELY) then return end
  redis.call('RPUSH', read, content)
end

local function mark_sent(packed)
  if forgotten then return end
  local job = cmsgpack.unpack(packed)[1]
  local known = redis.call('LRANGE', sent, 0, -1)
  for _, entry in ipairs(known) do
    if cmsgpack.unpack(entry)[1] == job then return end
  end
  known[#known + 1] = packed
  redis.call('RPUSH', sent, packed)
  local contents = 0
  for index = #known, 1, -1 do
    contents = contents + #cmsgpack.unpack(known[index])[2]
    if contents > sent_max then
      redis.call('LTRIM', sent, index, -1)
      return
    end
  end
end

-- Repeated as often as the deletion is: what it removes lies in other slots too, and a crash may leave that.
local function forget(at, row)
  if not forgotten and offset >= at then return false end
  if offset < at then
    redis.call('SET', user, row)
    offset = at
  end
  forgotten = true
  redis.call('DEL', read, sent)
  return true
end

local deleted = false
local at = 3
while at <= #ARGV do
  local change = ARGV[at]
  if change == 'put' then
    put(tonumber(ARGV[at + 1]), ARGV[at + 2])
    at = at + 3
  elseif change == 'forget' then
    deleted = forget(tonumber(ARGV[at + 1]), ARGV[at + 2]) or deleted
    at = at + 3
  else
    local argument = ARGV[at + 1]
    if change == 'read' then mark_read(argument)
    elseif change == 'sent' then mark_sent(argument)
    elseif change == 'session' and not forgotten then redis.call('SADD', sessions, argument)
    end
    at = at + 2
  end
end
if not forgotten then redis.call('LTRIM', read, -read_max, -1) end
return { forgotten and 1 or 0, deleted and 1 or 0, deleted and redis.call('SMEMBERS', sessions) or {} }
