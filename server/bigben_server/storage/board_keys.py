"""The keys of results, boards, ratings and groups, and their text. Does not talk to Redis.

Results, closed races, players and groups are kept. What lies under ``DERIVED`` is made from them
and can be made again; nothing else may be.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.scoring.divisions import Division
from bigben_server.scoring.results import RaceSummary, Result

RANKINGS: Final = ("bb:board:", "bb:rating:")
"""How the keys of boards and ratings begin."""
DERIVED: Final = (*RANKINGS, "bb:history:")
"""How the keys begin that can be made again."""

CLOSED: Final = "bb:{closed}"
"""A sorted set of all closed races with results, numbered 0, 1, 2 … as they were closed."""
SETTLED: Final = "bb:{closed}:settled"
"""How many of them are on the boards and in the ratings. The one derived key elsewhere."""
RANKED: Final = "bb:ranked"
"""The setting that the boards were made for: ``verified``, or missing for all."""
LEASE: Final = "bb:settling"
"""Who settles races at the moment; expires."""
CODES: Final = "bb:codes"
"""A hash: groups by the code to join them."""

RACED: Final = "race"
"""The field of a race's results that holds the race itself; ids of players have a colon."""

BOT: Final = b"bot"
"""The field of a player who is a bot."""
NAMED: Final = b"named"
"""The field of a player whose name the operator chose."""
DELETED_AS: Final = "deleted-as"
"""The field of a player who is being deleted: the id that takes their place."""
NAME: Final = "name"
CODE: Final = "code"
SINCE: Final = "since"
MAKER: Final = "maker"
"""Fields of a group; whose it will be, until it has its name."""
_IN: Final = b"in:"

_results = msgspec.json.Decoder(Result)
_raced = msgspec.json.Decoder(RaceSummary)
_encode = msgspec.json.Encoder().encode


def results(race: RaceId) -> str:
    """A hash: the result of each player, and the race in field ``RACED``."""
    return f"bb:{{{race}}}:results"


def board(name: str) -> str:
    """A sorted set of players: the smaller the score, the better."""
    return f"bb:board:{{{name}}}"


def ratings(game: str, rules: str, division: Division) -> str:
    """A hash: the rating of each player of a division in one game by one set of rules."""
    return f"bb:rating:{{{game}.{rules}{f'@{division}' if division else ''}}}"


def upto(key: str) -> str:
    """The number of the last thing that was put on a board or into ratings."""
    return f"{key}:upto"


def history(player: PlayerId) -> str:
    """A hash: a player's result in each race."""
    return f"bb:history:{player}"


def player(player: PlayerId) -> str:
    """A hash: what is known of a player besides the name; ``in:GROUP`` for each of their groups."""
    return f"bb:player:{player}"


def group(group: str) -> str:
    """A hash: what is known of a group."""
    return f"bb:group:{group}"


def write(record: Result | RaceSummary) -> bytes:
    """A result or a race as it is kept."""
    return _encode(record)


def read_result(text: bytes) -> Result:
    """The result kept so."""
    return _results.decode(text)


def read_raced(text: bytes) -> RaceSummary:
    """The race kept so."""
    return _raced.decode(text)


def membership(group: str) -> bytes:
    """The field of a player that says they belong to a group."""
    return _IN + group.encode()


def read_groups(about: Mapping[bytes, bytes]) -> frozenset[str]:
    """The groups that a player belongs to, of all that is known of them."""
    return frozenset(field.removeprefix(_IN).decode() for field in about if field.startswith(_IN))
