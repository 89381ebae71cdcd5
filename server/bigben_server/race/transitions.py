"""What may be asked of a race in which phase: the state machine as a table. Changes nothing.

open -> countdown -> running -> closed        a live race
open -> cancelled                             a room that nobody started
        running -> closed                     a daily, and practice
"""

from collections.abc import Mapping
from typing import Final

from bigben_protocol import (
    ClientMessage,
    Code,
    GetRecord,
    GetStandings,
    Join,
    Kind,
    Leave,
    Move,
    Phase,
    Ready,
    Resume,
    Start,
    Unready,
    Watch,
)


class Refusal(Exception):
    """The player asked for what can't be done now. The text is a sentence, safe to show."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code: Code = code
        self.text = text


_ANY: Final = frozenset[Phase](("open", "countdown", "running", "closed", "cancelled"))

_TABLE: Final[Mapping[type[ClientMessage], Mapping[Kind, frozenset[Phase]]]] = {
    Join: {"live": _ANY, "daily": _ANY, "practice": _ANY},
    Watch: {"live": _ANY, "daily": _ANY},
    Leave: {"live": _ANY, "daily": _ANY, "practice": _ANY},
    Resume: {"live": _ANY, "daily": _ANY, "practice": _ANY},
    GetStandings: {"live": _ANY, "daily": _ANY, "practice": _ANY},
    GetRecord: {"live": _ANY, "daily": _ANY, "practice": _ANY},
    # Ready and Start may be sent again by one whose connection was lost before the answer.
    Ready: {
        "live": frozenset({"open", "countdown", "running"}),
        "daily": frozenset({"running"}),
        "practice": frozenset({"running"}),
    },
    Unready: {"live": frozenset({"open"})},
    Start: {"live": frozenset({"open", "countdown", "running"})},
    # In a closed race a move that was played before is answered once more; new ones are refused.
    Move: {
        "live": frozenset({"running", "closed"}),
        "daily": frozenset({"running", "closed"}),
        "practice": frozenset({"running", "closed"}),
    },
}
"""Every message about a race; a kind that is missing never takes it."""

REASONS: Final[Mapping[Phase, str]] = {
    "open": "The race has not started; send ready when you are.",
    "countdown": "The countdown is running; the cards come in a moment.",
    "running": "The race is running.",
    "closed": "The race is closed; its cards and moves are open to all.",
    "cancelled": "The room was closed before it started; create a new one.",
}

TIME_OVER: Final = "The time for this race is over."


def check_kind(kind: Kind, message: ClientMessage) -> None:
    """Raises Refusal(code="phase") unless races of this kind ever take ``message``."""
    if kind not in _TABLE[type(message)]:
        article = "practice" if kind == "practice" else f"a {kind} race"
        raise Refusal("phase", f"In {article} there is no {_word(message)}.")


def check(kind: Kind, phase: Phase, message: ClientMessage) -> None:
    """Raises Refusal(code="phase") unless they take it now. Call ``check_kind`` first."""
    if phase not in _TABLE[type(message)][kind]:
        raise Refusal("phase", REASONS[phase])


def _word(message: ClientMessage) -> str:
    return type(message).__name__.lower()
