-- Returns the code of a group that nobody else has created or is creating.
-- KEYS: the group. ARGV: its maker, and a new code.
if redis.call('HEXISTS', KEYS[1], 'name') == 1 then return false end
redis.call('HSETNX', KEYS[1], 'maker', ARGV[1])
redis.call('HSETNX', KEYS[1], 'code', ARGV[2])
if redis.call('HGET', KEYS[1], 'maker') ~= ARGV[1] then return false end
return redis.call('HGET', KEYS[1], 'code')
