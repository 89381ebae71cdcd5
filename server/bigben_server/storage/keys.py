"""The key of everything that is stored. Only storage builds keys.

Everything of one race shares the hash tag ``{race id}``, so that a cluster keeps it together.
Results, closed races, players and groups are kept. What lies under ``DERIVED`` is made from them
and can be made again; nothing else may be.
"""

from collections.abc import Iterable
from typing import Final

from bigben_protocol import PlayerId, RaceId

SECRET: Final = "bb:secret"
AGENDA: Final = "bb:agenda"
"""Races that time will change: a sorted set by when, ms since 1970."""
NAMES: Final = "bb:names"
"""A hash: display names by player."""
CODES: Final = "bb:codes"
"""A hash: groups by the code to join them."""
PROCESSES: Final = "bb:processes"
"""The channel that every process listens on. Nothing is said there; Redis counts who does."""

CLOSED: Final = "bb:{closed}"
"""A sorted set of all closed races with results, numbered 0, 1, 2 … as they were closed."""
SETTLED: Final = "bb:{closed}:settled"
"""How many of them are on the boards and in the ratings. The one derived key elsewhere."""
RANKED: Final = "bb:ranked"
"""The setting that the boards were made for: ``verified``, or missing for all."""
LEASE: Final = "bb:settling"
"""Who settles races at the moment; expires."""
IMPORTING: Final = "bb:importing"
"""The digest of the export that is being imported, until all of it is there."""
RANKINGS: Final = ("bb:board:", "bb:rating:")
"""How the keys of boards and ratings begin."""
DERIVED: Final = (*RANKINGS, "bb:history:")
"""How the keys begin that can be made again."""

MARK: Final = b"is"
"""The field of a seat's entry that holds the seat's status."""
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
"""Fields of a group. The last is the player who is creating it, until it has its name."""


def room_log(race: RaceId) -> str:
    """A stream; entry ``k-0`` holds event k in field ``k``, and those written with it."""
    return f"bb:{{{race}}}:room"


def seat_log(race: RaceId, player: PlayerId) -> str:
    """A stream; entry ``n-0`` holds ``ms move`` in field ``n``, and those written with it."""
    return f"bb:{{{race}}}:seat:{player}"


def results(race: RaceId) -> str:
    """A hash: the result of each player, and the race in field ``RACED``."""
    return f"bb:{{{race}}}:results"


def race_of(key: str) -> RaceId:
    """The race of a key that begins with ``bb:{race}``."""
    return RaceId(key[len("bb:{") : key.index("}")])


def news_channel(race: RaceId) -> str:
    """The channel on which processes tell each other of a race."""
    return f"bb:{{{race}}}:news"


def process_channel(process: str) -> str:
    """The channel that one process alone listens on."""
    return f"{PROCESSES}:{process}"


def spent(once: str) -> str:
    """There while a one-time link that was used could still be tried again."""
    return f"bb:spent:{once}"


def open_seed(digest: str) -> str:
    """The race of a seed, by the seed's digest; the race may be closed by now. Expires."""
    return f"bb:seed:{digest}"


def board(name: str) -> str:
    """A sorted set of players: the smaller the score, the better."""
    return f"bb:board:{{{name}}}"


def ratings(game: str, rules: str, division: str) -> str:
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


def membership(group: str) -> bytes:
    """The field of a player who belongs to this group."""
    return b"in:" + group.encode()


def groups_in(about: Iterable[bytes]) -> frozenset[str]:
    """The groups that a player belongs to, by the fields that the player has."""
    return frozenset(field[3:].decode() for field in about if field.startswith(b"in:"))


def group(group: str) -> str:
    """A hash: what is known of a group."""
    return f"bb:group:{group}"
