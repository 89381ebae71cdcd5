-- Replaces all entries of a log, unless it does not end with this number; returns whether it did.
-- KEYS: the log, and perhaps another key and its new name.
-- ARGV: the number, and each new entry as a JSON list of its words.
local entry = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last = entry and entry[2][#entry[2] - 1] or '0'
if last ~= ARGV[1] then return 0 end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
for i = 2, #ARGV do redis.call('XADD', KEYS[1], unpack(cjson.decode(ARGV[i]))) end
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then redis.call('RENAME', KEYS[2], KEYS[3]) end
return 1
