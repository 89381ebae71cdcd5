-- Returns the number of rows of a board, the start of a page, and its rows; then the player's own row
-- in a list, which is empty without one. A row is an id, a score and a place. Scores stay text,
-- because Lua's numbers would lose digits.
-- KEYS: the board. ARGV: the start, the number of rows, the player, and 1 for the rows around them; then
-- players whose rows are wanted instead of a page.
local board, start, count, player = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local total, mine = redis.call('ZCARD', board), redis.call('ZSCORE', board, player)
local function place_of(score) return redis.call('ZCOUNT', board, '-inf', '(' .. score) + 1 end
if mine and ARGV[4] == '1' then
  start = redis.call('ZRANK', board, player) - math.floor((count - 1) / 2)
  start = math.max(0, math.min(start, total - count))
end
local own = mine and {{player, mine, place_of(mine)}} or {}
if ARGV[5] then
  local rows = {}
  for i = 5, #ARGV do
    local score = redis.call('ZSCORE', board, ARGV[i])
    if score then rows[#rows + 1] = {ARGV[i], score, place_of(score)} end
  end
  table.sort(rows, function(a, b) return a[3] < b[3] end)
  return {total, 0, rows, own}
end
local found, rows = redis.call('ZRANGE', board, start, start + count - 1, 'WITHSCORES'), {}
local place = found[2] and place_of(found[2])
for i = 1, #found, 2 do
  if i > 1 and found[i + 1] ~= found[i - 1] then place = start + (i + 1) / 2 end
  rows[#rows + 1] = {found[i], found[i + 1], place}
end
return {total, start, rows, own}
