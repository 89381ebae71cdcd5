-- Announces a process, and raises the version of the data to what all announced processes can read.
-- KEYS: the version; the processes, each with the version that it reads and until when it counts.
-- ARGV: how long a process counts, in ms; its id, and the version that it reads; 1 to raise.
-- Returns the version and the ids of all announced processes; or what is there instead of a version.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local text = redis.call('GET', KEYS[1]) or '1'
if #text > 9 or not text:match('^[1-9]%d*$') then return {text, {}} end
local version = tonumber(text)
if tonumber(ARGV[3]) < version then return {version, {}} end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3] .. ' ' .. string.format('%d', now + ARGV[1]))
redis.call('PEXPIRE', KEYS[2], ARGV[1])
local all, ids, least = redis.call('HGETALL', KEYS[2]), {}, tonumber(ARGV[3])
for i = 1, #all, 2 do
  local reads, counts_until = all[i + 1]:match('^(%d+) (%d+)$')
  if not reads or tonumber(counts_until) < now then
    redis.call('HDEL', KEYS[2], all[i])
  else
    ids[#ids + 1] = all[i]
    least = math.min(least, tonumber(reads))
  end
end
if ARGV[4] == '1' and least > version then
  redis.call('SET', KEYS[1], least)
  version = least
end
return {version, ids}
