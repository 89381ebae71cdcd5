"""The script by which Redis appends to a log of a race in one step. Sends nothing.

It refuses an entry whose basis is not in the log, whichever process wrote the log.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

from bigben_server.race.events import NOTHING, Append, RoomAppend, SeatAppend
from bigben_server.storage import keys

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
local at = 6
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  redis.call('XADD', log, unpack(ARGV, at + 1, at + words))
  at = at + 1 + words
end
return 1
"""
"""Write entries if the log ends with the number before them; an empty log ends with ``-1``.
Each entry is preceded by the number of its words: its id and its fields. These are called by its
numbers, in order, and a seat's status comes after them. The id of the entry alone would not do:
after a fail-over to a replica that lags, a log may end earlier than those who write to it know.

The first entry of a seat stands on the room too: on its first ``k`` events, and on no end of the
race after the first ``since`` of them. What follows it needs no second look: no store loses an
event and keeps what was written after it on the same node, and a race ends after all its seats.
``id`` and ``event`` are of the room's first entry in the same batch, if this stands on it: another
one may have been written with its number. The keys after the first two are of seats' logs that must
be empty still.
"""

MOST_IN_AN_ENTRY: Final = 1_000
"""Appends; the rest is written to further entries in the same step. Lua unpacks about 8,000 words
at once and no more, and an append has two."""

_SHA: Final = hashlib.sha1(_SCRIPT.encode()).hexdigest()


def command(log: str, logs: Mapping[str, list[Append]]) -> _Command:
    """The command that writes to ``log``, one of a batch's ``logs``, if Redis knows the script.

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
        id_, _, event, *_ = keys.entry_of(logs[room][:1])
        written_with = (id_, event)
    stands_on = (first.follows, k, since, *written_with)
    names = (log, room, *empty)
    return ("EVALSHA", _SHA, len(names), *names, *stands_on, *_entries(logs[log]))


def taught(command: _Command) -> _Command:
    """The same command for a Redis that does not know the script yet."""
    return ("EVAL", _SCRIPT, *command[2:])


def _entries(appends: list[Append]) -> Iterator[str | bytes | int]:
    """The words of the entries for these appends, each entry preceded by how many words it has."""
    for start in range(0, len(appends), MOST_IN_AN_ENTRY):
        entry = keys.entry_of(appends[start : start + MOST_IN_AN_ENTRY])
        yield len(entry)
        yield from entry
