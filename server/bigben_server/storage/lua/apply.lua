-- Changes a board or ratings once, unless a later change was applied.
-- KEYS: what to change, and the number of its last change.
-- ARGV: the number of this change, the command, and its pairs of words.
if tonumber(redis.call('GET', KEYS[2]) or '-1') >= tonumber(ARGV[1]) then return 0 end
for i = 3, #ARGV, 2 do redis.call(ARGV[2], KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('SET', KEYS[2], ARGV[1])
return 1
