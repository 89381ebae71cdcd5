-- Returns what living processes say of themselves, after noting what one of them says. What is older
-- than ARGV[1] ms by the clock of Redis is deleted: its process is dead.
-- KEYS: the hash of processes. ARGV: the ms, and the id and the text of the process that says it, if
-- any.
local time = redis.call('TIME')
local now, kept = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1])
if ARGV[2] then
  redis.call('HSET', KEYS[1], ARGV[2], string.format('%d %s', now, ARGV[3]))
  redis.call('PEXPIRE', KEYS[1], kept)
end
local living, found = {}, redis.call('HGETALL', KEYS[1])
for i = 1, #found, 2 do
  local at, text = found[i + 1]:match('^(%d+) (.*)$')
  if at and now - tonumber(at) < kept then
    living[#living + 1] = text
  elseif ARGV[2] then
    redis.call('HDEL', KEYS[1], found[i])
  end
end
return living
