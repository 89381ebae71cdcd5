-- Writes entries to a log if it ends with the number that they follow; an empty
-- log of a room ends with 0, and one of a seat with -1.
-- Returns 1, or 0 for a refusal.
-- KEYS: the log, the log of its room, and seats' logs that must be empty.
-- ARGV: the number to follow; k and since, see below; id and event, see below; then for each entry
-- the number of its words, and the words: its id, its numbered fields, and a seat's status last.
--
-- Redis's own check of ids is not enough: after a fail-over to a lagging replica, a log may end
-- earlier than its writers know.
--
-- The first entry of a seat depends on the room too: on its first k events, and on no end of the
-- race after the first `since` of them. Later entries need no second check: no store loses an event
-- and keeps what was written after it on the same node, and a race ends after all its seats. `id`
-- and `event` are those of the room's first entry in the same batch, if this one depends on it:
-- another process may have written its number.
local log, room, follows, k, since, id, event = KEYS[1], KEYS[2], unpack(ARGV, 1, 5)
local function last(log)
  local entry = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not entry then return log == room and '0' or '-1' end
  local fields = entry[2]
  return fields[#fields - 1] == 'is' and fields[#fields - 3] or fields[#fields - 1]
end
local function has_ended()
  for _, entry in ipairs(redis.call('XRANGE', room, (since + 1) .. '-0', '+')) do
    for i = 2, #entry[2], 2 do
      local told = entry[2][i]
      if told:find('^{"type":"closed"') or told:find('^{"type":"cancelled"') then return true end
    end
  end
end
if last(log) ~= follows then return 0 end
if log ~= room and follows == '-1' then
  if tonumber(last(room)) < tonumber(k) or has_ended() then return 0 end
  if id ~= '' then
    local entry = redis.call('XRANGE', room, id, id)[1]
    if not entry or entry[2][2] ~= event then return 0 end
  end
end
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end
end
local at = 6
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  redis.call('XADD', log, unpack(ARGV, at + 1, at + words))
  at = at + 1 + words
end
return 1
