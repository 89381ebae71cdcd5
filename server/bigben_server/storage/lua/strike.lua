-- Removes a member, unless its score is greater. KEYS: the sorted set. ARGV: the member, the score.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and tonumber(score) <= tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
