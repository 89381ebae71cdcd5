-- Puts a packed value in the place of a race's logs; returns 1, or 0 if they are not as they were.
-- KEYS: the value, the log of the room, and those of the seats.
-- ARGV: the value, the SHA-1 of the room's entries, and of each seat how many it has and the last.
--
-- Nobody changes an entry of a seat, but events of a room are rewritten when a player is deleted.
local function text(entries)
  local lines = {}
  for i, entry in ipairs(entries) do lines[i] = entry[1] .. ' ' .. table.concat(entry[2], ' ') end
  return table.concat(lines, '\n')
end
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if redis.sha1hex(text(redis.call('XRANGE', KEYS[2], '-', '+'))) ~= ARGV[2] then return 0 end
for i = 3, #KEYS do
  local last = redis.call('XREVRANGE', KEYS[i], '+', '-', 'COUNT', 1)
  if redis.call('XLEN', KEYS[i]) .. ' ' .. text(last) ~= ARGV[i] then return 0 end
end
local left = redis.call('PTTL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 1
