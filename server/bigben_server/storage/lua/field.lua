-- Writes a field that still has this value, or still none; returns whether it did.
-- KEYS: the hash. ARGV: the field, its value or '', the new value, in how many ms the hash expires.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
