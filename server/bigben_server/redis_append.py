"""An append to a log of a race, as a script that Redis runs in one step. Sends nothing.

It refuses what does not stand on what is there, whoever has written it.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

from bigben_server import redis_keys as keys
from bigben_server.log import NOTHING, Append, RoomAppend, SeatAppend

_Command = tuple[str | bytes | int | float, ...]

_SCRIPT: Final = """
local log, room, follows, k, since, id, event = KEYS[1], KEYS[2], unpack(ARGV, 1, 5)
local function last(log)
  local entry = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not entry then return '-1' end
  local fields = entry[2]
  return fields[#fields - 1] == 'is' and fields[#fields - 3] or fields[#fields - 1]
end
local function has_ended()
  for _, entry in ipairs(redis.call('XRANGE', room, (since + 1) .. '-0', '+')) do
    for i = 2, #entry[2], 2 do
      local told = entry[2][i]
      if told:find('^{"type":"closed"') or told:find('^{"type":"cancelled"') then return true end
    end
  end
end
if last(log) ~= follows then return 0 end
if log ~= room and follows == '-1' then
  if math.max(last(room), 0) < tonumber(k) or has_ended() then return 0 end
  if id ~= '' then
    local entry = redis.call('XRANGE', room, id, id)[1]
    if not entry or entry[2][2] ~= event then return 0 end
  end
end
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end
end
redis.call('XADD', log, unpack(ARGV, 6))
return 1
"""
"""Write an entry to a log that ends with the number it follows; ``-1`` is the end of an empty log.
An entry's fields are called by its numbers, in order, and a seat's mark comes after them. The id of
the entry alone would not do: after a fail-over to a replica that lags, a log may end earlier than
those who write to it know.

The first entry of a seat stands on the room too: on its first ``k`` events, and on no end of the
race after the first ``since`` of them. What follows it needs no second look: no store loses an
event and keeps what was written after it on the same node, and a race ends after all its seats.
``id`` and ``event`` are of the room's entry in the same batch, if this stands on it: another one
may have been written with its number. The keys after the first two are of seats' logs that must be
empty still.
"""
_SHA: Final = hashlib.sha1(_SCRIPT.encode()).hexdigest()


def command(log: str, logs: Mapping[str, list[Append]]) -> _Command:
    """What has Redis write to ``log``, one of the ``logs`` of a batch, if it knows the script.

    It answers 1, or 0 for a refusal. Sent in the order of the logs, rooms before seats.
    """
    first = logs[log][0]
    room = keys.room_log(first.race)
    empty: list[str] = []
    k = since = 0
    written_with: tuple[str | bytes, str | bytes] = ("", "")
    for append in logs[log]:
        match append:
            case SeatAppend():
                k, since = append.k, first.k
            case RoomAppend():
                empty += (keys.seat_log(append.race, player) for player in append.unbegun)
    if isinstance(first, SeatAppend) and first.follows == NOTHING and room in logs:
        id_, _, event, *_ = keys.entry_of(logs[room])
        written_with = (id_, event)
    stands_on = (first.follows, k, since, *written_with)
    names = (log, room, *empty)
    return ("EVALSHA", _SHA, len(names), *names, *stands_on, *keys.entry_of(logs[log]))


def taught(command: _Command) -> _Command:
    """The same command for a Redis that does not know the script yet."""
    return ("EVAL", _SCRIPT, *command[2:])
