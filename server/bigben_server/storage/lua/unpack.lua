-- Puts logs in the place of a packed value; returns 1, or 0 if it is not there or another one.
-- KEYS: the value, and then each log under a name for now, and its key.
-- ARGV: the SHA-1 of the value, and how many ms later than the room the seats expire.
local value = redis.call('GET', KEYS[1])
if not value or redis.sha1hex(value) ~= ARGV[1] then return 0 end
for i = 2, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i]) == 0 or redis.call('EXISTS', KEYS[i + 1]) == 1 then return 0 end
end
local left = redis.call('PTTL', KEYS[1])
for i = 2, #KEYS, 2 do
  redis.call('RENAME', KEYS[i], KEYS[i + 1])
  if left < 0 then
    redis.call('PERSIST', KEYS[i + 1])
  else
    redis.call('PEXPIRE', KEYS[i + 1], left + (i > 2 and ARGV[2] or 0))
  end
end
redis.call('UNLINK', KEYS[1])
return 1
