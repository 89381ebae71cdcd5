-- Adds a closed race after all others. KEYS: the closed races. ARGV: the race.
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  redis.call('ZADD', KEYS[1], redis.call('ZCARD', KEYS[1]), ARGV[1])
end
