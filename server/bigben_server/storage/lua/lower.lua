-- Lowers the version of the data, unless it is another one or a server is announced; returns whether
-- it did. KEYS: the version, and the announced processes. ARGV: the version now, and the new one.
if redis.call('EXISTS', KEYS[2]) == 1 or redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
