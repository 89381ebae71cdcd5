-- Returns the number of rows of a board, the start of a page, its rows, the place of its first row,
-- and a player's own score and place. Scores stay text, because Lua's numbers would lose digits.
-- KEYS: the board. ARGV: the start, the number of rows, the player, and 1 for the rows around them.
local board, start, count, player = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local total, mine = redis.call('ZCARD', board), redis.call('ZSCORE', board, player)
if mine and ARGV[4] == '1' then
  start = redis.call('ZRANK', board, player) - math.floor((count - 1) / 2)
  start = math.max(0, math.min(start, total - count))
end
local function place(score) return redis.call('ZCOUNT', board, '-inf', '(' .. score) + 1 end
local rows = redis.call('ZRANGE', board, start, start + count - 1, 'WITHSCORES')
return {total, start, rows, rows[2] and place(rows[2]) or 0, mine or '', mine and place(mine) or 0}
