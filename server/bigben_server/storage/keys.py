"""The keys of everything that is stored, and the channels. Only this folder builds them.

All keys of one race share the hash tag ``{race id}``, so that a cluster keeps them together.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bigben_protocol import PlayerId, RaceId

PREFIX: Final = "bb"
"""The usual prefix, which is also that of all keys in an export."""

MARK: Final = b"is"
"""The field of a seat's entry that holds the seat's status."""
RACED: Final = "race"
"""The field of a race's results that describes the race; ids of players have a colon."""
BOT: Final = b"bot"
"""The field of a player who is a bot."""
NAMED: Final = b"named"
"""The field of a player whose name the operator chose."""
DAYS: Final = "daily."
"""How the names of boards of days begin, which change at once: others when a race is settled."""
NEW: Final = "}:new"
"""How the key of a board or of ratings ends that is made anew, until it replaces the one in use."""
LOGGED_OUT: Final = "out"
"""The field of a player: no token that was issued before holds, ms since 1970."""
IN: Final = "in:"
ORGANISES: Final = "organises:"
"""How the fields of a player begin about a group that they are in, or whose seasons they organise;
since when, ms since 1970."""
DELETED_AS: Final = "deleted-as"
"""The field of a player who is being deleted: the id that replaces theirs."""

_OF_RACE: Final = re.compile(r"[^:]+:\{[^}]*\}:(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Key:
    """A key without arguments, of which each deployment has its own."""

    rest: str
    """What follows the prefix."""

    def __get__(self, keys: "Keys", _: type["Keys"]) -> str:
        return f"{keys.prefix}:{self.rest}"


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys and channels of one deployment; all begin with ``prefix:``."""

    prefix: str = PREFIX
    """Letters, digits, dots, dashes and underscores."""
    database: int = 0
    """The number of the database in Redis. Channels name it, because pub/sub ignores databases."""

    @property
    def all(self) -> str:
        """How every key begins."""
        return f"{self.prefix}:"

    secret = _Key("secret")
    fingerprint = _Key("fingerprint")
    """The fingerprint of the secret with which a server was started last."""
    agenda = _Key("agenda")
    """A sorted set of races by the time when a timer must look at them, ms since 1970."""
    names = _Key("names")
    """A hash: display names by player."""
    codes = _Key("codes")
    """A hash: groups by the code to join them."""
    closed = _Key("{closed}")
    """A sorted set of all closed races with results, numbered as they were closed, from 0."""
    settled = _Key("{closed}:settled")
    """How many closed races are settled. Derived, though not in ``derived``."""
    packed_upto = _Key("{closed}:packed-upto")
    """How many closed races the packer has looked at. Others that may be packed are ``to_pack``."""
    to_pack = _Key("packing")
    """A sorted set: races that may be packed, besides the next closed one, by when."""
    packer = _Key("packer")
    """The process that has the lease to pack races; expires."""
    ranked = _Key("ranked")
    """The setting that the boards were made for: ``verified``; missing for ``all``."""
    void = _Key("{closed}:void")
    """A hash: why a race is void, by the race. Its results come to no board or history."""
    aliases = _Key("{closed}:aliases")
    """A hash: of each player who is tied to another, since when, and to whom."""
    tied = _Key("{closed}:guests")
    """A hash: who is tied to each account; most are guests."""
    tying = _Key("{closed}:tying")
    """A list: who is tied and not counted under their account everywhere yet."""
    expiring = _Key("expiring")
    """A sorted set: closed races that count nowhere, by when they are deleted."""
    dealt = _Key("dealt")
    """A hash: the counter of each day whose dailies were dealt again; never 0."""
    dailies = _Key("dailies")
    """A hash: the deals that are prepared for dailies of today and later; secret."""
    preparing = _Key("preparing")
    """The process that has the lease to prepare dailies; expires."""
    lease = _Key("settling")
    """The process that has the lease to settle races; expires."""
    audit = _Key("audit")
    """A stream: entry ``k-0`` has entry k of the audit log in field ``k``."""
    orders = _Key("orders")
    """A hash: what an operator has ordered of running servers; see ``admin/directives.py``."""
    living = _Key("living")
    """A hash: what each living process says of itself, by its id; expires."""
    schema = _Key("{schema}")
    """The version of the data; missing for 1. Raised when every server can read it."""
    readers = _Key("{schema}:readers")
    """A hash: which version each server process reads, by its id; expires."""
    proofs = _Key("proof:")
    """How the keys begin that a process writes to see whether Redis keeps them; they expire."""

    def proof(self, number: int) -> str:
        """One of them, in another slot for each number."""
        return f"{self.proofs}{{{number}}}"

    checked = _Key("checked")
    """A hash: how far a check is that is under way or was interrupted; expires."""
    importing = _Key("importing")
    """The digest of the file whose import is not complete."""

    @property
    def rankings(self) -> tuple[str, ...]:
        """The prefixes of boards and ratings."""
        return f"{self.prefix}:board:", f"{self.prefix}:rating:"

    @property
    def derived(self) -> tuple[str, ...]:
        """The prefixes of what can be computed again from results, races, players and groups."""
        return *self.rankings, f"{self.prefix}:history:"

    # Races

    races = _Key("{")
    """How every key of a race begins, and ``closed``."""

    def room_log(self, race: RaceId) -> str:
        """A stream: entry ``k-0`` has event k in field ``k``, and later ones of the same write."""
        return f"{self.prefix}:{{{race}}}:room"

    def seat_log(self, race: RaceId, player: PlayerId) -> str:
        """A stream: entry ``n-0`` has ``ms move`` in field ``n``, and later ones of one write."""
        return f"{self.prefix}:{{{race}}}:seat:{player}"

    def log(self, race: RaceId, player: PlayerId | None = None) -> str:
        """The log of a room, or of a player's seat in it."""
        return self.room_log(race) if player is None else self.seat_log(race, player)

    def packed(self, race: RaceId) -> str:
        """The logs of a closed race as one value, which has none of them then; see ``packing``."""
        return f"{self.prefix}:{{{race}}}:packed"

    def unpacking(self, race: RaceId, part: str) -> str:
        """A log that is being brought back from a packed value. Expires."""
        return f"{self.prefix}:{{{race}}}:unpacking:{part}"

    def results(self, race: RaceId) -> str:
        """A hash: the result of each player, and the race in field ``RACED``."""
        return f"{self.prefix}:{{{race}}}:results"

    def analysis(self, race: RaceId, digest: str) -> str:
        """An analysis of a closed race, by the digest of what was analysed. Expires."""
        return f"{self.prefix}:{{{race}}}:analysis:{digest}"

    def open_seed(self, digest: str) -> str:
        """The race of a seed, by the seed's digest; the race may be closed by now. Expires."""
        return f"{self.prefix}:seed:{digest}"

    # Boards

    boards = _Key("board:")
    """The prefix of boards."""

    def board(self, name: str) -> str:
        """A sorted set of players; a smaller score is better."""
        return f"{self.prefix}:board:{{{name}}}"

    def ratings(self, game: str, rules: str, division: str) -> str:
        """A hash: the rating of each player of a division in one game by one set of rules."""
        return f"{self.prefix}:rating:{{{game}.{rules}{f'@{division}' if division else ''}}}"

    def history(self, player: PlayerId) -> str:
        """A hash: a player's result in each race."""
        return f"{self.prefix}:history:{player}"

    # Players

    def player(self, player: PlayerId) -> str:
        """A hash about a player, without the name; ``in:GROUP`` is since when they are in it."""
        return f"{self.prefix}:player:{player}"

    def open_races(self, player: PlayerId) -> str:
        """A sorted set: races in which a player has a seat, by when they took it, ms since 1970.

        It is written before the seat's event and deleted after the close, so it may have too many.
        """
        return f"{self.prefix}:open:{player}"

    def challenges(self, player: PlayerId) -> str:
        """A hash: the challenges that a player has received, by the challenger. Expires."""
        return f"{self.prefix}:challenges:{player}"

    def challenged_by(self, player: PlayerId) -> str:
        """A sorted set: whom a player has challenged, by when, ms since 1970. Expires."""
        return f"{self.prefix}:challenged-by:{player}"

    def challenges_of(self, player: PlayerId) -> tuple[str, str]:
        """What a player has received, and whom they have challenged."""
        return self.challenges(player), self.challenged_by(player)

    def house_seats(self, digest: str) -> str:
        """A sorted set of ``RACE HOUSEPLAYER``, by when a player or an address asked for the seat.

        ``digest`` says who asked. Expires.
        """
        return f"{self.prefix}:house:{digest}"

    def spent(self, once: str) -> str:
        """Exists while a used one-time link has not expired."""
        return f"{self.prefix}:spent:{once}"

    def group(self, group: str) -> str:
        """A hash about a group: ``name``, ``code``, ``since``; its ``maker`` until it has one."""
        return f"{self.prefix}:group:{group}"

    def members(self, group: str) -> str:
        """A sorted set: the members of a group that players made, by when they came.

        Older servers do not keep it, so it may have too few.
        """
        return f"{self.prefix}:members:{group}"

    past_groups = _Key("past-groups")
    """A sorted set: groups that are gone and have results or seasons, by when they went."""

    # Seasons

    seasons = _Key("seasons")
    """A sorted set: all seasons, by when a server must look at each, ms since 1970."""

    def season(self, season: str) -> str:
        """A stream: entry ``n-0`` has event n of a season in field ``n``; it has a secret."""
        return f"{self.prefix}:season:{season}"

    def seasons_of(self, group: str) -> str:
        """A sorted set: the seasons of a group, by when they were made; some may be gone."""
        return f"{self.prefix}:seasons-of:{group}"

    def seasons_with(self, player: PlayerId) -> str:
        """A sorted set: seasons that a player organises, was added to or has raced in, by when."""
        return f"{self.prefix}:seasons-with:{player}"

    hooks = _Key("hooks")
    """A sorted set: the seasons with a webhook, by when their news must be looked at."""
    hooking = _Key("hooking")
    """The process that has the lease to send the news of seasons; expires."""

    def hook(self, season: str) -> str:
        """A hash: where a season's news are sent, the key of the signatures, and what was sent."""
        return f"{self.prefix}:hook:{season}"

    # Channels

    @property
    def channels(self) -> str:
        """How every channel begins."""
        return f"{self.prefix}:db{self.database}:" if self.database else f"{self.prefix}:"

    @property
    def processes(self) -> str:
        """To it every process subscribes, and to ``…:processes:ID`` only the one with this id.

        Nothing is published; Redis counts subscribers.
        """
        return f"{self.channels}processes"

    @property
    def started(self) -> str:
        """On it every process publishes its id when it has first subscribed."""
        return f"{self.channels}started"

    @property
    def ordered(self) -> str:
        """On it is published that the orders have changed."""
        return f"{self.channels}ordered"

    @property
    def challenged(self) -> str:
        """On it is published whose challenges have changed."""
        return f"{self.channels}challenged"

    @property
    def alive(self) -> str:
        """On it every process with peers publishes its id every few seconds, for older versions."""
        return f"{self.channels}alive"

    def news(self, race: RaceId) -> str:
        """On it processes publish that they follow a race, and commands that they changed it."""
        return f"{self.channels}{{{race}}}:news"

    @property
    def inboxes(self) -> str:
        """How the channels begin on which one process alone is told what it follows."""
        return f"{self.channels}to:"

    def inbox(self, process: str, epoch: int) -> str:
        """That of a process since it has subscribed for the n-th time."""
        return f"{self.inboxes}{process}:{epoch}"

    # What a name says

    def within(self, exported: str) -> str:
        """The key here of one in an export. Raises ValueError if that is no key of an export."""
        if not exported.startswith(f"{PREFIX}:"):
            raise ValueError(exported)
        return self.prefix + exported.removeprefix(PREFIX)

    def exported(self, key: str) -> str:
        """The name in an export of a key here."""
        return PREFIX + key.removeprefix(self.prefix)


def race_of(name: str) -> RaceId:
    """The race of a key or channel that has one."""
    return RaceId(name[name.index("{") + 1 : name.index("}")])


def part_of(key: str) -> str:
    """Which key of its race this is, such as ``room`` or ``seat:guest:3c5d``; empty for others."""
    of_race = _OF_RACE.match(key)
    return of_race.group(1) if of_race else ""


def is_log(key: str) -> bool:
    """Whether this is a log of a room or a seat."""
    return part_of(key).partition(":")[0] in ("room", "seat")


def is_packed(key: str) -> bool:
    """Whether this is the value of a packed race."""
    return part_of(key) == "packed"


def is_unpacking(key: str) -> bool:
    """Whether this is a log that is being brought back, or that was when a process died."""
    return part_of(key).startswith("unpacking:")


def upto(key: str) -> str:
    """The number of the last change to a board or to ratings."""
    return f"{key}:upto"


def groups_in(about: Iterable[bytes], what: str = IN) -> frozenset[str]:
    """The groups of a player with these fields, or those that they organise."""
    beginning = what.encode()
    found = (field for field in about if field.startswith(beginning))
    return frozenset(field.removeprefix(beginning).decode() for field in found)


def pattern(beginning: str) -> str:
    """The pattern of SCAN for all keys that begin like this."""
    return re.sub(r"([\\*?\[\]^-])", r"\\\1", beginning) + "*"
