-- Gives a tied player another id besides theirs, or an account another id in the place of theirs.
-- KEYS: the aliases, and who is tied to each account. ARGV: the id, and the other one.
local aliases, tied, old, new = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local function account_of(alias) return string.match(alias, '^%d+ %d+ %d+ (.*)$') end
local alias = redis.call('HGET', aliases, old)
if alias and redis.call('HSETNX', aliases, new, alias) == 1 then
  while alias do
    local account = account_of(alias)
    redis.call('HSET', tied, account, redis.call('HGET', tied, account) .. ' ' .. new)
    alias = redis.call('HGET', aliases, account)
  end
end
local theirs = redis.call('HGET', tied, old)
if not theirs then return end
for player in string.gmatch(theirs, '%S+') do
  local text = redis.call('HGET', aliases, player)
  if text and account_of(text) == old then
    local times = string.sub(text, 1, #text - #old)
    redis.call('HSET', aliases, player, times .. new)
  end
end
redis.call('HSET', tied, new, theirs)
redis.call('HDEL', tied, old)
