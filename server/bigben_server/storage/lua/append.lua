-- Writes entries to logs. An entry is written only if its log ends with the number that it follows.
-- Returns for each entry 1, or 0 for a refusal, or an error.
-- KEYS: for each entry its log, then what it depends on: the log of its room, and keys that must not
-- be there, which are seats' logs, and the packed logs of a race whose first event is written.
-- ARGV[1]: the entries in MessagePack, because one long word costs the server and Redis less than
-- many short ones. Each is an array: the number it follows, or false if the log must be empty; what
-- it depends on, or false; and the words to write: its id, its numbered fields, a seat's status last.
-- What it depends on is an array: on how many other KEYS, then k and since, id and event, see below.
--
-- Redis's own check of ids is not enough: after a fail-over to a lagging replica, a log may end
-- earlier than its writers know.
--
-- The first entry of a seat depends on the room: on its first k events, and on no end of the race
-- and no deleted player after the first `since` of them. Later entries need no second check: no store
-- loses an event and keeps what was written after it on the same node, a race ends after all its
-- seats, and the log of a deleted player's seat gets another key. `id` and `event` are those of the
-- room's first entry in the same batch, if this one depends on it: another process may have written
-- its number.
local function last(log)
  local entry = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not entry then return false end
  local fields = entry[2]
  return tonumber(fields[#fields - 1] == 'is' and fields[#fields - 3] or fields[#fields - 1])
end
local function has_changed(room, since)
  for _, entry in ipairs(redis.call('XRANGE', room, (since + 1) .. '-0', '+')) do
    for i = 2, #entry[2], 2 do
      local told = entry[2][i]
      for _, tag in ipairs({'closed', 'cancelled', 'deleted'}) do
        if told:find('^{"type":"' .. tag .. '"') then return true end
      end
    end
  end
end
local function has_room(log, room, k, since, id, event)
  if log == room then return true end
  if (last(room) or 0) < k or has_changed(room, since) then return false end
  if id == '' then return true end
  local entry = redis.call('XRANGE', room, id, id)[1]
  return entry and entry[2][2] == event
end
local function write(key, entry)
  local log, follows, depends = KEYS[key], entry[1], entry[2]
  if last(log) ~= follows then return 0 end
  if depends then
    if not has_room(log, KEYS[key + 1], unpack(depends, 2)) then return 0 end
    for i = key + 2, key + depends[1] do
      if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end
    end
  end
  redis.call('XADD', log, unpack(entry, 3))
  return 1
end
local answers, key = {}, 1
for i, entry in ipairs(cmsgpack.unpack(ARGV[1])) do
  local ran, answer = pcall(write, key, entry)
  -- An error of one log does not stop the others. Until Redis 7 it is a text.
  if not ran and type(answer) == 'string' then answer = {err = answer} end
  answers[i] = answer
  key = key + 1 + (entry[2] and entry[2][1] or 0)
end
return answers
