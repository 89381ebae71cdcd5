"""A receipt as a value, read from JSON: its fields, their types, its seal. Judges no fact in it.

Written from ``docs/fairness.md``, not from the code that makes receipts. Like everything that
``bigben verify`` imports, it stands on the standard library (and, elsewhere, the rules).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from hashlib import sha256
from typing import Any, Final, get_args, get_origin, get_type_hints

VERSION: Final = "bigben-receipt-v1"

_TOO_LARGE: Final = 2**53
"""Above it a number is not the same to every reader of JSON."""

TimedMove = tuple[int, str]
"""Milliseconds on the seat's clock, and the move as the log holds it."""


class Altered(ValueError):
    """The receipt does not hold. Its text is a sentence that begins with the field's name."""


class Unreadable(ValueError):
    """The text is no JSON object at all. Its message is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a seat's moves came to."""

    state: str
    """``won``, ``blocked``, ``resigned`` or ``timed out``."""
    moves: int
    """How many, undo, resign and timeout counted."""
    home: int
    """Cards on the foundations at the end."""
    ms: int
    """On the seat's clock at its last move; 0 without one."""
    home_ms: int
    """On the seat's clock when its last card came home; 0 without one."""


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
    """The deal, first dealt first."""
    seats: tuple[Seat, ...]
    """In seat order."""
    seal: str
    """SHA-256 of everything else; see ``seal_of``."""


def seal_of(receipt: Receipt) -> str:
    """SHA-256 of the canonical JSON of all other fields, as hex.

    Canonical: keys sorted, no spaces, ASCII with ``\\uXXXX`` for everything else.
    """
    facts = asdict(receipt)
    del facts["seal"]
    return sha256(_json(facts, sort_keys=True).encode("ascii")).hexdigest()


def read(text: bytes | str) -> Receipt:
    """The receipt written so, in any order and spacing. Exactly its fields, or it is refused.

    Raises Unreadable, and Altered where a field is missing, unknown, twice there, or of a type
    that no receipt has.
    """
    try:
        value = json.loads(text, object_pairs_hook=_fields_once)
    except Altered:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"this is not JSON: {str(error)[:100]}") from None
    if not isinstance(value, dict):
        raise Unreadable("this is JSON, but no receipt: a receipt is one object")
    if value.get("version") != VERSION:
        raise Altered(f"version is {shown(value.get('version'))}; this bigben checks {VERSION}.")
    receipt: Receipt = _record(Receipt, value, "")
    return receipt


def shown(value: object) -> str:
    """A value of a receipt in a sentence: short, in quotes if it is text, never harmful."""
    written = _json(value)
    return written if len(written) <= 80 else f"{written[:77]}…"


def _json(value: object, *, sort_keys: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)


def _fields_once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """An object of the JSON text. Another reader could take the other of two equal keys."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise Altered(f"{_name(name)} is there twice.")
    return found


_WORDS: Final = {str: "text", int: "a whole number", bool: "true or false"}


def _value(kind: Any, value: object, path: str) -> Any:  # Any: a type read from an annotation
    if is_dataclass(kind):
        return _record(kind, value, path)
    if get_origin(kind) is tuple:
        return _items(get_args(kind), value, path)
    if type(value) is not kind:  # not isinstance: true is no number
        raise Altered(f"{path} is {shown(value)}; {_WORDS[kind]} belongs there.")
    if isinstance(value, int) and not 0 <= value < _TOO_LARGE:
        raise Altered(f"{path} is {shown(value)}; no time and no count in a race is.")
    return value


def _record(kind: Any, value: object, path: str) -> Any:
    if not isinstance(value, dict):
        raise Altered(f"{path} is {shown(value)}; an object belongs there.")
    before = f"{path}." if path else ""
    hints = get_type_hints(kind)
    for name in value:
        if name not in hints:
            raise Altered(f"{before}{_name(name)} is no field of a receipt.")
    for field in fields(kind):
        if field.name not in value:
            raise Altered(f"{before}{field.name} is missing.")
    return kind(**{name: _value(hints[name], value[name], before + name) for name in hints})


def _items(kinds: Sequence[Any], value: object, path: str) -> Any:
    if not isinstance(value, list):
        raise Altered(f"{path} is {shown(value)}; a list belongs there.")
    if kinds[-1] is ...:
        kinds = [kinds[0]] * len(value)
    if len(value) != len(kinds):
        raise Altered(f"{path} has {len(value)} items; it takes {len(kinds)}.")
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(_value(kind, item, f"{path}[{i}]") for i, (kind, item) in pairs)


def _name(name: str) -> str:
    """A key from the text as it can be shown: itself, unless it is strange."""
    return name if name.isidentifier() and name.isascii() and len(name) < 80 else shown(name)
