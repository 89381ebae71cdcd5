-- Counts one more settled race, if ARGV[1] are settled. KEYS: their number.
if tonumber(redis.call('GET', KEYS[1]) or '0') == tonumber(ARGV[1]) then
  redis.call('INCR', KEYS[1])
end
