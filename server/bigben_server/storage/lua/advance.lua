-- Notes that the races from ARGV[1] to ARGV[2] are settled, if those before are. KEYS: how many are.
local settled = tonumber(redis.call('GET', KEYS[1]) or '0')
if settled >= tonumber(ARGV[1]) and settled <= tonumber(ARGV[2]) then
  redis.call('SET', KEYS[1], string.format('%d', tonumber(ARGV[2]) + 1))
end
