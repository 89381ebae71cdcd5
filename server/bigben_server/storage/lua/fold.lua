-- Counts what a guest has on a board or in ratings under the account, once.
-- KEYS: a sorted set, or a hash. ARGV: the guest, the account, and what the account has then: '+' for
-- the sum of both scores, '' for its own score if it has one, or else the score or rating itself.
local key, guest, account, what = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local kind = redis.call('TYPE', key).ok
if kind == 'hash' and redis.call('HEXISTS', key, guest) == 1 then
  redis.call('HSET', key, account, what)
  redis.call('HDEL', key, guest)
end
local score = kind == 'zset' and redis.call('ZSCORE', key, guest)
if not score then return end
if what == '+' then redis.call('ZINCRBY', key, score, account)
elseif what == '' then redis.call('ZADD', key, 'NX', score, account)
else redis.call('ZADD', key, what, account) end
redis.call('ZREM', key, guest)
