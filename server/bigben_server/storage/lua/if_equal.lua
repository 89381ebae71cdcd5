-- Carries out a command for a key, if its value is ARGV[1]. Otherwise returns 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call(ARGV[2], KEYS[1], unpack(ARGV, 3))
