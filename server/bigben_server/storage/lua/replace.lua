-- Puts values that were made anew in the place of others, in one step, if the lease is still held.
-- KEYS: the lease, how many races are settled, each new value and its place, and what goes.
-- ARGV: what the lease must say, how many races are settled, how many values are new.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local last = 2 + 2 * tonumber(ARGV[3])
for i = 3, last, 2 do
  redis.call('UNLINK', KEYS[i + 1]) -- RENAME would free it while everybody waits
  redis.call('RENAME', KEYS[i], KEYS[i + 1])
end
for i = last + 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
redis.call('DEL', KEYS[2]) -- as on a server that has settled none
if ARGV[2] ~= '0' then redis.call('SET', KEYS[2], ARGV[2]) end
return 1
