"""New rooms: their codes, seeds and first events. Random bytes come in as an argument."""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import count
from typing import Final

from bigben_protocol import Create, Kind, PlayerId, RaceId, Rules
from bigben_rules import game_named, seed_from_hex
from bigben_server.race.codes import LETTERS, RandomBytes, letters
from bigben_server.race.effects import Player
from bigben_server.race.events import Joined, Opened, RoomEvent
from bigben_server.race.transitions import Refusal

_CODE_LENGTH: Final = 6
LONGEST_MS: Final = 86_400_000


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


def created(
    message: Create, player: Player, now: int, random_bytes: RandomBytes
) -> list[RoomEvent]:
    """The first events of the requested room, with its creator in a seat. Raises Refusal."""
    try:
        rules = game_named(message.game).rules(message.rules)
    except ValueError as error:
        text = str(error)
        raise Refusal("rules", f"{text[0].upper()}{text[1:]}.") from None
    if message.seed and not message.practice:
        raise Refusal("seed", "You can choose the seed only for practice.")
    try:
        seed = seed_from_hex(message.seed) if message.seed else random_bytes(32)
    except ValueError as error:
        raise Refusal("seed", f"{str(error).capitalize()}.") from None
    practice = message.practice
    limit = 0 if practice else message.limit_ms or LONGEST_MS
    by = Rules(message.game, rules, limit, message.undo or practice, message.invite_only)
    invited = by.invite_only and not practice
    invite = letters(random_bytes, _CODE_LENGTH) if invited else ""
    kind: Kind = "practice" if practice else "live"
    return _with_host(Opened(kind, by, seed.hex(), now, player.id, invite=invite), player)


def rematch_codes(server_seed: str) -> Iterator[RaceId]:
    """The codes that the rematch of the closed race with this seed may have, endlessly.

    Every process draws the same codes. The rematch has the first one that no other room has.
    """
    for n in count():
        chosen = sha256(f"rematch {n} ".encode() + bytes.fromhex(server_seed)).digest()
        yield new_code(partial(_first, chosen))


def rematch(
    closed: Opened,
    racers: tuple[PlayerId, ...],
    player: Player,
    now: int,
    random_bytes: RandomBytes,
) -> list[RoomEvent]:
    """The first events of a room by the rules of a closed race; its racers need no invitation."""
    rules = closed.rules
    invite = letters(random_bytes, _CODE_LENGTH) if rules.invite_only else ""
    seed = random_bytes(32).hex()
    opened = Opened("live", rules, seed, now, player.id, invite=invite, invited=racers)
    return _with_host(opened, player)


def _first(digest: bytes, length: int) -> bytes:
    return digest[:length]


def _with_host(opened: Opened, player: Player) -> list[RoomEvent]:
    return [opened, Joined(player.id, player.name, opened.at)]
