-- Keeps a lease for ARGV[2] ms more, if ARGV[1] holds it.
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
