"""Reads a receipt from JSON and checks its fields, their types and its seal.

It is written from ``docs/fairness.md`` and not from the code that makes receipts. Like everything
that ``bigben verify`` imports, it needs only the standard library and the rules.
"""

import json
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from hashlib import sha256
from typing import Any, Final, get_args, get_origin, get_type_hints

FIRST: Final = "bigben-receipt-v1"
SECOND: Final = "bigben-receipt-v2"
VERSIONS: Final = (FIRST, SECOND)
_ONLY_IN_SECOND: Final = frozenset(
    {"solver", "kept_until", "mixed_at", "nonce_hash", "nonce_state"}
)

_TOO_LARGE: Final = 2**53
"""Not every JSON reader can represent larger numbers exactly."""

TimedMove = tuple[int, str]
"""Milliseconds on the seat's clock, and the move as in the log."""


class Altered(ValueError):
    """The receipt does not hold. The message is a sentence that begins with the field's name."""


class Unreadable(ValueError):
    """The text is not a JSON object. The message is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a seat's moves."""

    state: str
    """``won``, ``blocked``, ``resigned`` or ``timed out``."""
    moves: int
    """The number of moves, including undo, resign and timeout."""
    home: int
    """Cards on the foundations at the end."""
    ms: int
    """The time of its last move on the seat's clock; 0 without one."""
    home_ms: int
    """The time of its last card home on the seat's clock; 0 without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One racer."""

    player: str
    name: str
    nonce: str
    """64 hex digits, or empty; always empty in a daily."""
    begun_at: int
    moves: tuple[TimedMove, ...]
    result: Result
    place: int
    nonce_hash: str = ""
    """64 hex digits that were fixed before any late nonce came; only there if it has a nonce, or
    promised one, and ``mixed_at`` is there."""
    nonce_state: str = ""
    """``late``, ``early``, ``withheld`` or ``none``; only there if ``mixed_at`` is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A closed race. Times ``…_at`` are the server's, in ms since 1970 (UTC)."""

    version: str
    race: str
    kind: str
    """``live`` or ``daily``."""
    game: str
    rules: str
    limit_ms: int
    """0 in a daily, which ends with its day."""
    undo: bool
    opened_at: int
    starts_at: int
    """0 in a daily, where each player starts when they like."""
    closes_at: int
    commitment: str
    server_seed: str
    seed: str
    order: tuple[str, ...]
    """The shuffled cards, first dealt first."""
    seats: tuple[Seat, ...]
    """In seat order."""
    seal: str
    """SHA-256 of everything else; see ``seal_of``."""
    void: str = ""
    """Why the race is void; only there if it is."""
    counter: int = 0
    """How often the cards of this daily had been dealt again; only there if they were."""
    deal: int = 0
    """Which deal of the seed was chosen; only there if it is not the first, which has 0."""
    grade: str = ""
    """Only there if the deal was graded."""
    certificate: tuple[str, ...] = ()
    """Moves that win the deal; only there if it was certified. Their number is par."""
    wanted: str = ""
    """What a room asked of its deal: a grade, or ``winnable``; only there if it asked."""
    solver: int = 1
    """The version of the solver that chose the deal; only there if it is not the first."""
    kept_until: int = 0
    """When the server deletes the race, which counts nowhere; only there if it does."""
    mixed_at: int = 0
    """When the nonces were mixed that came after all hashes were fixed; only there if any did."""


def seal_of(receipt: Receipt) -> str:
    """SHA-256 of the canonical JSON of all other fields, as hex.

    Canonical: keys sorted, no spaces, ASCII with ``\\uXXXX`` for everything else.
    """
    facts = facts_of(receipt)
    del facts["seal"]
    return sha256(_json(facts, sort_keys=True).encode("ascii")).hexdigest()


def facts_of(receipt: Receipt) -> dict[str, Any]:
    """The fields that the text of this receipt has; Any: any JSON."""
    facts = _said(receipt)
    facts["seats"] = [{**_said(seat), "result": asdict(seat.result)} for seat in receipt.seats]
    return facts


def _said(one: Receipt | Seat) -> dict[str, Any]:
    """Its fields, without those that say nothing."""
    usual = {field.name: field.default for field in fields(one)}
    return {name: getattr(one, name) for name in usual if getattr(one, name) != usual[name]}


def read(text: bytes | str) -> Receipt:
    """The receipt in this text, in any order and spacing, with exactly the right fields.

    Raises Unreadable, and Altered if a field is missing, unknown, repeated, or of a wrong type.
    """
    try:
        value = json.loads(text, object_pairs_hook=_fields_once)
    except Altered:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"this is not JSON: {str(error)[:100]}") from None
    if not isinstance(value, dict):
        raise Unreadable("this is JSON, but no receipt: a receipt is one object")
    version = value.get("version")
    if version not in VERSIONS:
        known = " and ".join(VERSIONS)
        raise Altered(f"version is {shown(version)}; this bigben checks {known}.")
    receipt: Receipt = _record(Receipt, value, "", version)
    return receipt


def shown(value: object) -> str:
    """A value of a receipt for a sentence: short, safe, and in quotes if it is text."""
    written = _json(value)
    return written if len(written) <= 80 else f"{written[:77]}…"


def _json(value: object, *, sort_keys: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)


def _fields_once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """An object of the JSON text. Repeated keys are refused, because readers differ about them."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise Altered(f"{_name(name)} is there twice.")
    return found


_WORDS: Final = {str: "text", int: "a whole number", bool: "true or false"}


# Any: a type read from an annotation.
def _value(kind: Any, value: object, path: str, version: str) -> Any:
    if is_dataclass(kind):
        return _record(kind, value, path, version)
    if get_origin(kind) is tuple:
        return _items(get_args(kind), value, path, version)
    if type(value) is not kind:  # not isinstance: true is not a number here
        raise Altered(f"{path} is {shown(value)}; {_WORDS[kind]} belongs there.")
    if isinstance(value, int) and not 0 <= value < _TOO_LARGE:
        raise Altered(f"{path} is {shown(value)}; no time and no count in a race is.")
    return value


def _record(kind: Any, value: object, path: str, version: str) -> Any:
    if not isinstance(value, dict):
        raise Altered(f"{path} is {shown(value)}; an object belongs there.")
    before = f"{path}." if path else ""
    hints = get_type_hints(kind)
    for name in value:
        if name not in hints or (version == FIRST and name in _ONLY_IN_SECOND):
            raise Altered(f"{before}{_name(name)} is no field of a receipt of {version}.")
    for field in fields(kind):
        if field.name not in value and field.default is MISSING:
            raise Altered(f"{before}{field.name} is missing.")
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        if field.name in value and value[field.name] == default:
            raise Altered(f"{before}{field.name} says nothing; then it must not be there.")
    found = {name: _value(hints[name], value[name], before + name, version) for name in value}
    return kind(**found)


def _items(kinds: Sequence[Any], value: object, path: str, version: str) -> Any:
    if not isinstance(value, list):
        raise Altered(f"{path} is {shown(value)}; a list belongs there.")
    if kinds[-1] is ...:
        kinds = [kinds[0]] * len(value)
    if len(value) != len(kinds):
        raise Altered(f"{path} has {len(value)} items; it takes {len(kinds)}.")
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(_value(kind, item, f"{path}[{i}]", version) for i, (kind, item) in pairs)


def _name(name: str) -> str:
    """A key of the text, made safe to show."""
    return name if name.isidentifier() and name.isascii() and len(name) < 80 else shown(name)
