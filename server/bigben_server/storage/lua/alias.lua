-- Ties a guest to an account, unless it is tied; returns the alias. What is settled from now on is
-- rated under the account.
-- KEYS: the aliases, the guests of each account, those to be counted, and how many races are settled.
-- ARGV: the guest, the account, and the time.
local guest, account = ARGV[1], ARGV[2]
local alias = redis.call('HGET', KEYS[1], guest)
if alias then return alias end
local n, after = redis.call('HLEN', KEYS[1]), redis.call('GET', KEYS[4]) or '0'
alias = n .. ' ' .. after .. ' ' .. ARGV[3] .. ' ' .. account
local guests = redis.call('HGET', KEYS[2], account)
redis.call('HSET', KEYS[1], guest, alias)
redis.call('HSET', KEYS[2], account, guests and guests .. ' ' .. guest or guest)
redis.call('RPUSH', KEYS[3], guest)
return alias
