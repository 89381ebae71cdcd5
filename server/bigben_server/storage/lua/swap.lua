-- Replaces a player's id in a hash or a sorted set. ARGV: the old id and the new one.
local kind, old, new = redis.call('TYPE', KEYS[1]).ok, ARGV[1], ARGV[2]
if kind == 'hash' and redis.call('HEXISTS', KEYS[1], old) == 1 then
  redis.call('HSET', KEYS[1], new, redis.call('HGET', KEYS[1], old))
  redis.call('HDEL', KEYS[1], old)
elseif kind == 'zset' and redis.call('ZSCORE', KEYS[1], old) then
  redis.call('ZADD', KEYS[1], redis.call('ZSCORE', KEYS[1], old), new)
  redis.call('ZREM', KEYS[1], old)
end
