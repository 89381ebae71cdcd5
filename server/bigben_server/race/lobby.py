"""New rooms: their codes, their seeds, their first events. Draws no randomness of its own."""

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
        raise Refusal("unknown", "A race is called daily, or by its room's code of six letters.")
    return RaceId(typed[:_CODE_LENGTH])


def invite_named(text: str) -> str:
    """The letters of the invitation behind the code, if any were typed."""
    return _typed(text)[_CODE_LENGTH:]


def _typed(text: str) -> str:
    return text.upper().replace("-", "").replace(" ", "")


def created(
    message: Create, player: Player, now: int, random_bytes: RandomBytes
) -> list[RoomEvent]:
    """The first events of the room asked for; its maker sits in it. Raises Refusal."""
    try:
        rules = game_named(message.game).rules(message.rules)
    except ValueError as error:
        text = str(error)
        raise Refusal("rules", f"{text[0].upper()}{text[1:]}.") from None
    if message.seed and not message.practice:
        raise Refusal("seed", "Only practice has a chosen seed; nobody knows a race's cards.")
    try:
        seed = seed_from_hex(message.seed) if message.seed else random_bytes(32)
    except ValueError as error:
        raise Refusal("seed", f"{str(error).capitalize()}.") from None
    limit = 0 if message.practice else message.limit_ms or LONGEST_MS
    by = Rules(message.game, rules, limit, message.undo or message.practice, message.invite_only)
    if message.practice:
        return _first_events("practice", by, player, now, seed)
    invite = letters(random_bytes, _CODE_LENGTH) if message.invite_only else ""
    return _first_events("live", by, player, now, seed, invite)


def rematch_codes(server_seed: str) -> Iterator[RaceId]:
    """What the rematch of the closed race with this seed may be called; an iterator without end.

    Every process draws the same codes. The rematch has the first that is no other room's.
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
    invite = letters(random_bytes, _CODE_LENGTH) if closed.rules.invite_only else ""
    return _first_events("live", closed.rules, player, now, random_bytes(32), invite, racers)


def _first(digest: bytes, length: int) -> bytes:
    return digest[:length]


def _first_events(
    kind: Kind,
    rules: Rules,
    player: Player,
    now: int,
    seed: bytes,
    invite: str = "",
    invited: tuple[PlayerId, ...] = (),
) -> list[RoomEvent]:
    """A room by these rules, opened by ``player`` who takes the first seat."""
    host = player.id
    return [
        Opened(kind, rules, seed.hex(), now, host=host, invite=invite, invited=invited),
        Joined(player.id, player.name, now),
    ]
