"""New rooms: their codes, seeds and first events. Random bytes come in as an argument."""

from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from hmac import compare_digest
from io import BytesIO
from itertools import count
from typing import Final

from msgspec.structs import replace

from bigben_protocol import (
    HOUSE_NAMES,
    STRENGTHS,
    Create,
    Kind,
    PlayerId,
    RaceId,
    Rules,
    house_player,
)
from bigben_protocol.sentence import sentence
from bigben_rules import seed_from_hex
from bigben_server.race import choosing
from bigben_server.race.daily import rules_named
from bigben_server.race.events import Joined, Opened, Player, Refusal, RoomEvent
from bigben_server.race.state import Race
from bigben_server.race.weeks import is_week, week_named

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No letter of a code is mistaken for another: no 0 and O, no 1, I and L."""
_CODE_LENGTH: Final = 6
LONGEST_MS: Final = 86_400_000
SOONEST_MS: Final = 60_000
_CHALLENGE_MS: Final = Create().limit_ms
LATEST_MS: Final = 7 * 86_400_000
"""A deadline is no sooner and no later than this."""
_HOUSE_NAMES: Final = {house_player(key): f"{name} (house)" for key, name in HOUSE_NAMES.items()}
"""They say what a player is also where no sign of it is shown."""
RandomBytes = Callable[[int], bytes]


def letters(random_bytes: RandomBytes, length: int) -> str:
    """A code that people read out and type."""
    number = int.from_bytes(random_bytes(16), "big")
    chosen = []
    for _ in range(length):
        number, letter = divmod(number, len(LETTERS))
        chosen.append(LETTERS[letter])
    return "".join(chosen)


def new_code(random_bytes: RandomBytes) -> RaceId:
    """A room's code, one of 31^6: hard to guess, easy to read out."""
    return RaceId(letters(random_bytes, _CODE_LENGTH))


def code_named(text: str) -> RaceId:
    """The code as typed, in any case and with spaces or dashes, or the id of a week's race.

    Raises Refusal if it is none.
    """
    if is_week(text):
        return week_named(text)
    typed = _typed(text)
    if len(typed) not in (_CODE_LENGTH, 2 * _CODE_LENGTH) or not set(typed) <= set(LETTERS):
        raise Refusal("unknown", sentence("race.bad_name"))
    return RaceId(typed[:_CODE_LENGTH])


def unknown(code: RaceId) -> Refusal:
    """The refusal of a code that no room has."""
    return Refusal("unknown", sentence("race.unknown", race=code[:40]))


def invite_named(text: str) -> str:
    """The letters of the invitation behind the code, if any were typed."""
    return _typed(text)[_CODE_LENGTH:]


def _typed(text: str) -> str:
    return text.upper().replace("-", "").replace(" ", "")


def check_invite(opened: Opened, invite: str) -> None:
    """Raises Refusal if these letters are no invitation to a room that needs one."""
    if opened.invite and not compare_digest(invite, opened.invite):
        text = sentence("race.by_invitation")
        raise Refusal("seat", text)


def created(wanted: Create, host: Player, now: int, random_bytes: RandomBytes) -> list[RoomEvent]:
    """The first events of the requested room, with its creator in a seat. Raises Refusal."""
    rules = rules_named(wanted.game, wanted.rules, "rules")
    if wanted.deadline_at:
        _check_deadline(wanted, now)
    if wanted.daily and not wanted.practice:
        raise Refusal("rules", sentence("room.past_only_practice"))
    if wanted.seed and not wanted.practice:
        raise Refusal("seed", sentence("room.seed_only_practice"))
    try:
        seed = seed_from_hex(wanted.seed) if wanted.seed else random_bytes(32)
    except ValueError:
        raise Refusal("seed", sentence("room.seed_hex")) from None
    kind: Kind = "practice" if wanted.practice else "deadline" if wanted.deadline_at else "live"
    limit = 0 if wanted.practice else wanted.limit_ms or LONGEST_MS
    undo = wanted.undo or wanted.practice
    deal = choosing.asked(wanted)
    free = (wanted.invite_only, wanted.spectate, wanted.grace_ms, wanted.daily, *deal)
    by = Rules(wanted.game, rules, limit, undo, *free)
    opened = Opened(kind, by, seed.hex(), now, host.id, closes_at=wanted.deadline_at)
    return first_events(opened, host, random_bytes)


def _check_deadline(wanted: Create, now: int) -> None:
    """Raises Refusal."""
    if wanted.practice:
        raise Refusal("rules", sentence("room.practice_deadline"))
    if not SOONEST_MS <= wanted.deadline_at - now <= LATEST_MS:
        raise Refusal("rules", sentence("room.deadline_span"))


def rematch_codes(server_seed: str) -> Iterator[RaceId]:
    """The codes that the rematch may have, the same in every process; it has the first free one.

    A code may be told before the close. It is 30 bits of a SHA-256 of the seed, which is 32 random
    bytes; the commitment is another SHA-256 of it, and whole. Neither helps to find the seed.
    """
    for n in count():
        chosen = sha256(f"rematch {n} ".encode() + bytes.fromhex(server_seed)).digest()
        yield new_code(BytesIO(chosen).read)


def challenge_codes(challenge: str) -> Iterator[RaceId]:
    """The codes that the room of a challenge may have; it has the first free one, as a rematch."""
    for n in count():
        chosen = sha256(f"challenge {n} {challenge}".encode()).digest()
        yield new_code(BytesIO(chosen).read)


def house_joined(player: PlayerId, now: int) -> Joined:
    """A house player takes a seat. Raises Refusal if there is none with this id."""
    if player not in _HOUSE_NAMES:
        raise Refusal("unknown", sentence("house.players", players=", ".join(STRENGTHS)))
    return Joined(player, _HOUSE_NAMES[player], now, bot=True)


def first_events(opened: Opened, host: Player, random_bytes: RandomBytes) -> list[RoomEvent]:
    """Open a room, with its host in a seat, and with an invitation if it needs one.

    House players who are invited have their seats at once.
    """
    if opened.rules.invite_only and opened.kind != "practice":
        opened = replace(opened, invite=letters(random_bytes, _CODE_LENGTH))
    house = [each for each in opened.invited if each in _HOUSE_NAMES]
    joined = [house_joined(each, opened.at) for each in house]
    return [opened, Joined(host.id, host.name, opened.at, host.bot), *joined]


def challenged(
    game: str, rules: str, both: tuple[PlayerId, PlayerId], now: int, random_bytes: RandomBytes
) -> Opened:
    """The room of an accepted challenge, which only the two can join. Raises Refusal."""
    by = Rules(game, rules_named(game, rules, "rules"), _CHALLENGE_MS, invite_only=True)
    invite, seed = letters(random_bytes, _CODE_LENGTH), random_bytes(32).hex()
    return Opened("live", by, seed, now, both[0], invite=invite, invited=both)


def check_rematch(race: Race, player: Player, now: int) -> None:
    """Raises Refusal unless there may be a rematch: for players whose own game is over."""
    phase, seat = race.phase(now), race.seats.get(player.id)
    if not race.live or phase not in ("running", "closed"):
        raise Refusal("phase", sentence("rematch.closed"))
    if phase == "running" and seat and not seat.over:
        raise Refusal("phase", sentence("rematch.own_over"))
    if phase == "running" and not seat:
        raise Refusal("seat", sentence("rematch.players"))


def rematch(
    race: Race,
    player: Player,
    now: int,
    random_bytes: RandomBytes,
    without: Collection[PlayerId] = (),
) -> list[RoomEvent]:
    """The first events of a room for another race of the same players. Raises Refusal.

    Call ``check_rematch`` first. House players ``without`` a free seat are not in it.
    """
    if player.id not in race.seats:
        raise Refusal("seat", sentence("rematch.players"))
    rules, seed, invited = race.opened.rules, random_bytes(32).hex(), tuple(race.seats)
    opened = Opened("live", rules, seed, now, player.id, invited=invited)
    first = first_events(opened, player, random_bytes)
    return [e for e in first if not (isinstance(e, Joined) and e.player in without)]
