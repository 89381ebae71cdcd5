-- Writes an entry to a log if it ends with the entry before; returns whether it did.
-- KEYS: the log. ARGV: the number of the entry, and its text.
local entry = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last = entry and entry[2][1] or '0'
if tonumber(last) ~= ARGV[1] - 1 then return 0 end
redis.call('XADD', KEYS[1], ARGV[1] .. '-0', ARGV[1], ARGV[2])
return 1
