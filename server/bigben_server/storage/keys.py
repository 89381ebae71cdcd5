"""The keys of everything that is stored. Only this folder builds keys.

All keys of one race share the hash tag ``{race id}``, so that a cluster keeps them together. The
keys that begin with ``DERIVED`` can be computed again from results, closed races, players and
groups.
"""

from collections.abc import Iterable
from typing import Final

from bigben_protocol import PlayerId, RaceId

SECRET: Final = "bb:secret"
AGENDA: Final = "bb:agenda"
"""The agenda: a sorted set of races by the time when a timer must look at them, ms since 1970."""
NAMES: Final = "bb:names"
"""A hash: display names by player."""
CODES: Final = "bb:codes"
"""A hash: groups by the code to join them."""
PROCESSES: Final = "bb:processes"
"""A channel to which every process subscribes, and to ``bb:processes:ID`` only the one with this
id. Nothing is published; Redis counts subscribers."""
STARTED: Final = "bb:started"
"""A channel on which every process publishes its id when it has first subscribed."""

CLOSED: Final = "bb:{closed}"
"""A sorted set of all closed races with results, numbered 0, 1, 2 … as they were closed."""
SETTLED: Final = "bb:{closed}:settled"
"""How many closed races are settled. The only derived key outside ``DERIVED``."""
RANKED: Final = "bb:ranked"
"""The setting that the boards were made for: ``verified``; missing for ``all``."""
LEASE: Final = "bb:settling"
"""The process that has the lease to settle races; expires."""
IMPORTING: Final = "bb:importing"
"""The digest of the file whose import is not complete."""
RANKINGS: Final = ("bb:board:", "bb:rating:")
DERIVED: Final = (*RANKINGS, "bb:history:")
"""The prefixes of keys with derived data."""

MARK: Final = b"is"
"""The field of a seat's entry that holds the seat's status."""
RACED: Final = "race"
"""The field of a race's results that describes the race; ids of players have a colon."""
BOT: Final = b"bot"
"""The field of a player who is a bot."""
NAMED: Final = b"named"
"""The field of a player whose name the operator chose."""
DELETED_AS: Final = "deleted-as"
"""The field of a player who is being deleted: the id that replaces theirs."""


def room_log(race: RaceId) -> str:
    """A stream: entry ``k-0`` has event k in field ``k``, and later events of the same write."""
    return f"bb:{{{race}}}:room"


def seat_log(race: RaceId, player: PlayerId) -> str:
    """A stream: entry ``n-0`` has ``ms move`` in field ``n``, and later moves of the same write."""
    return f"bb:{{{race}}}:seat:{player}"


def results(race: RaceId) -> str:
    """A hash: the result of each player, and the race in field ``RACED``."""
    return f"bb:{{{race}}}:results"


def race_of(key: str) -> RaceId:
    """The race of a key that begins with ``bb:{race}``."""
    return RaceId(key[len("bb:{") : key.index("}")])


def news_channel(race: RaceId) -> str:
    """The channel on which processes publish updates of a race."""
    return f"bb:{{{race}}}:news"


def spent(once: str) -> str:
    """Exists while a used one-time link has not expired."""
    return f"bb:spent:{once}"


def open_seed(digest: str) -> str:
    """The race of a seed, by the seed's digest; the race may be closed by now. Expires."""
    return f"bb:seed:{digest}"


def board(name: str) -> str:
    """A sorted set of players; a smaller score is better."""
    return f"bb:board:{{{name}}}"


def ratings(game: str, rules: str, division: str) -> str:
    """A hash: the rating of each player of a division in one game by one set of rules."""
    return f"bb:rating:{{{game}.{rules}{f'@{division}' if division else ''}}}"


def upto(key: str) -> str:
    """The number of the last change to a board or to ratings."""
    return f"{key}:upto"


def history(player: PlayerId) -> str:
    """A hash: a player's result in each race."""
    return f"bb:history:{player}"


def player(player: PlayerId) -> str:
    """A hash about a player, without the name; ``in:GROUP`` is since when they are in a group."""
    return f"bb:player:{player}"


def groups_in(about: Iterable[bytes]) -> frozenset[str]:
    """The groups of a player with these fields."""
    return frozenset(field[3:].decode() for field in about if field.startswith(b"in:"))


def group(group: str) -> str:
    """A hash about a group: ``name``, ``code``, ``since``; its ``maker`` until it has a name."""
    return f"bb:group:{group}"
