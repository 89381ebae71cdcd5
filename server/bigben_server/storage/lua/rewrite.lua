-- Replaces all entries of a room's log, unless it does not end with the last of its events.
-- ARGV: the number of its events, and each new entry as a JSON list of its words.
local entry = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last = entry and entry[2][#entry[2] - 1] or '0'
if last ~= ARGV[1] then return redis.error_reply('changed') end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
for i = 2, #ARGV do redis.call('XADD', KEYS[1], unpack(cjson.decode(ARGV[i]))) end
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
