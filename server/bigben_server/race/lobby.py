"""New rooms: their codes, seeds and first events. Random bytes come in as an argument."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from itertools import count
from typing import Final

from msgspec.structs import replace

from bigben_protocol import Create, Kind, RaceId, Rules
from bigben_rules import game_named, seed_from_hex
from bigben_server.race.events import Joined, Opened, Player, Refusal, RoomEvent

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No letter of a code is mistaken for another: no 0 and O, no 1, I and L."""
_CODE_LENGTH: Final = 6
LONGEST_MS: Final = 86_400_000
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
    """The code as typed, in any case and with spaces or dashes. Raises Refusal if it is none."""
    typed = _typed(text)
    if len(typed) not in (_CODE_LENGTH, 2 * _CODE_LENGTH) or not set(typed) <= set(LETTERS):
        raise Refusal("unknown", "A race is named daily, or by the six-letter code of its room.")
    return RaceId(typed[:_CODE_LENGTH])


def invite_named(text: str) -> str:
    """The letters of the invitation behind the code, if any were typed."""
    return _typed(text)[_CODE_LENGTH:]


def _typed(text: str) -> str:
    return text.upper().replace("-", "").replace(" ", "")


def created(wanted: Create, host: Player, now: int, random_bytes: RandomBytes) -> list[RoomEvent]:
    """The first events of the requested room, with its creator in a seat. Raises Refusal."""
    try:
        rules = game_named(wanted.game).rules(wanted.rules)
    except ValueError as error:
        text = str(error)
        raise Refusal("rules", f"{text[0].upper()}{text[1:]}.") from None
    if wanted.seed and not wanted.practice:
        raise Refusal("seed", "You can choose the seed only for practice.")
    try:
        seed = seed_from_hex(wanted.seed) if wanted.seed else random_bytes(32)
    except ValueError as error:
        raise Refusal("seed", f"{str(error).capitalize()}.") from None
    kind: Kind = "practice" if wanted.practice else "live"
    limit = 0 if wanted.practice else wanted.limit_ms or LONGEST_MS
    undo = wanted.undo or wanted.practice
    by = Rules(wanted.game, rules, limit, undo, wanted.invite_only)
    return first_events(Opened(kind, by, seed.hex(), now, host.id), host, random_bytes)


def rematch_codes(server_seed: str) -> Iterator[RaceId]:
    """The codes that the rematch may have, the same in every process; it has the first free one."""
    for n in count():
        chosen = sha256(f"rematch {n} ".encode() + bytes.fromhex(server_seed)).digest()
        yield new_code(BytesIO(chosen).read)


def first_events(opened: Opened, host: Player, random_bytes: RandomBytes) -> list[RoomEvent]:
    """Open a room, with its host in a seat, and with an invitation if it needs one."""
    if opened.rules.invite_only and opened.kind == "live":
        opened = replace(opened, invite=letters(random_bytes, _CODE_LENGTH))
    return [opened, Joined(host.id, host.name, opened.at)]
