-- Gives a guest another id besides theirs, or an account another id in the place of theirs.
-- KEYS: the aliases, and the guests of each account. ARGV: the id, and the other one.
local aliases, guests, old, new = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local function account_of(alias) return string.match(alias, '^%d+ %d+ %d+ (.*)$') end
local alias = redis.call('HGET', aliases, old)
if alias and redis.call('HSETNX', aliases, new, alias) == 1 then
  local account = account_of(alias)
  redis.call('HSET', guests, account, redis.call('HGET', guests, account) .. ' ' .. new)
end
local theirs = redis.call('HGET', guests, old)
if not theirs then return end
for guest in string.gmatch(theirs, '%S+') do
  local text = redis.call('HGET', aliases, guest)
  local times = string.sub(text, 1, #text - #account_of(text))
  redis.call('HSET', aliases, guest, times .. new)
end
redis.call('HSET', guests, new, theirs)
redis.call('HDEL', guests, old)
