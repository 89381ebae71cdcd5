-- Ties a player to an account, unless they are tied; returns the alias. What is settled from now on is
-- rated under the account. Nothing if the account itself is tied to somebody.
-- KEYS: the aliases, who is tied to each account, those to be counted, and how many races are settled.
-- ARGV: the player, the account, and the time.
local player, account = ARGV[1], ARGV[2]
local alias = redis.call('HGET', KEYS[1], player)
if alias then return alias end
if player == account or redis.call('HEXISTS', KEYS[1], account) == 1 then return false end
local n, after = redis.call('HLEN', KEYS[1]), redis.call('GET', KEYS[4]) or '0'
alias = n .. ' ' .. after .. ' ' .. ARGV[3] .. ' ' .. account
local tied, theirs = redis.call('HGET', KEYS[2], account), redis.call('HGET', KEYS[2], player)
tied = tied and tied .. ' ' .. player or player
if theirs and theirs ~= '' then tied = tied .. ' ' .. theirs end
redis.call('HSET', KEYS[1], player, alias)
redis.call('HSET', KEYS[2], account, tied)
redis.call('RPUSH', KEYS[3], player)
return alias
