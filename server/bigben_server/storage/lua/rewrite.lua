-- Replaces all entries of a log, unless it has grown.
-- ARGV: the number of its entries, and each new entry as a JSON list of its words.
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return redis.error_reply('changed') end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
for i = 2, #ARGV do redis.call('XADD', KEYS[1], unpack(cjson.decode(ARGV[i]))) end
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
