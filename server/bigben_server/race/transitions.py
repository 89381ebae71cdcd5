"""The state machine of a race and of its seats, as complete tables; None is what cannot happen."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeVar, get_args

import bigben_protocol as wire
from bigben_protocol import Kind, Phase, State
from bigben_protocol.sentence import Sentence, sentence

# fmt: off
RoomTrigger = Literal[
    "opened", "joined", "left", "readied", "unreadied", "counted", "closed", "cancelled",
    "followed", "voided", "renamed", "deleted", "dealt", "searched", "nonced", "renewed", "mixed",
]
"""The tag of an event of the room. No event says that a countdown is over: time does."""
SeatTrigger = Literal["readied", "unreadied", "begin", "move", "win", "block", "resign", "timeout"]
"""What changes a seat's state. ``move`` is a move or an undo that does not end the game."""
RaceMessage = (
    wire.Move | wire.Join | wire.Watch | wire.Leave | wire.Ready | wire.Unready | wire.Start
    | wire.Resume | wire.GetStandings | wire.GetRecord | wire.GetCurves | wire.Explain
    | wire.AddHouse | wire.RemoveHouse | wire.SendNonce | wire.Cheer
)
OF_SPECTATORS: Final = frozenset[type[RaceMessage]]((
    wire.Watch, wire.Resume, wire.GetStandings, wire.GetRecord, wire.GetCurves, wire.Cheer,
))
"""What spectators send; a race may have none until it is closed."""
# fmt: on

_Row = TypeVar("_Row")
_Column = TypeVar("_Column")
_Cell = TypeVar("_Cell")


def _cells(
    table: Mapping[_Row, tuple[_Cell, ...]], rows: Iterable[_Row], columns: tuple[_Column, ...]
) -> Mapping[tuple[_Row, _Column], _Cell]:
    """The cells of a table by row and column. Raises ValueError unless it has all of them."""
    if {*table} != {*rows}:
        raise ValueError(f"rows that are missing or unknown: { ({*rows} ^ {*table}) }")
    pairs = ((row, zip(columns, cells, strict=True)) for row, cells in table.items())
    return {(row, column): cell for row, columns_of in pairs for column, cell in columns_of}


_P = Phase | None
_S = State | None
_In = frozenset[Phase]
_ALWAYS: Final = frozenset[Phase](get_args(Phase))
_RUNNING: Final = frozenset[Phase](("running",))
_BEFORE_END: Final = frozenset[Phase](("open", "countdown", "running"))
_FROM_START: Final = frozenset[Phase](("running", "closed"))
_NOT_CANCELLED: Final = _ALWAYS - {"cancelled"}
_COUNTED: Final = frozenset[Phase](("countdown", "running", "closed"))
_OPEN: Final = frozenset[Phase](("open",))
_NEVER: Final = frozenset[Phase]()

# fmt: off
_PHASES: Final[Mapping[RoomTrigger, tuple[_P, _P, _P, _P, _P]]] = {
    # the phase:   open         countdown  running    closed    cancelled
    "opened":     (None,        None,      None,      None,     None),  # once, see `Race`
    "joined":     ("open",      None,      "running", None,     None),
    "left":       ("open",      None,      None,      None,     None),
    "readied":    ("open",      None,      None,      None,     None),
    "unreadied":  ("open",      None,      None,      None,     None),
    "counted":    ("countdown", None,      None,      None,     None),
    "dealt":      (None,        "countdown", None,      None,     None),
    "searched":   (None,        "countdown", None,    None,     None),
    "nonced":     (None,        "countdown", None,    None,     None),
    "renewed":    (None,        "countdown", None,    None,     None),
    "mixed":      (None,        "countdown", None,    None,     None),
    "closed":     (None,        "closed",  "closed",  None,     None),  # no event starts a race
    "cancelled":  ("cancelled", "cancelled", None,      None,     None),
    "followed":   (None,        "countdown", None,    "closed", None),  # also while it runs
    "voided":     (None,        None,      None,      "closed", "cancelled"),
    "renamed":    ("open",      "countdown", "running", None,   None),
    "deleted":    ("open",      "countdown", "running", None,   None),
}
_SEATS: Final[Mapping[SeatTrigger, tuple[_S, _S, _S]]] = {
    # the seat is: joined     ready      playing
    "readied":    ("ready",   None,      None),
    "unreadied":  (None,      "joined",  None),
    "begin":      ("playing", "playing", None),
    "move":       (None,      None,      "playing"),
    "win":        (None,      None,      "won"),
    "block":      (None,      None,      "blocked"),
    "resign":     (None,      None,      "resigned"),
    "timeout":    (None,      None,      "timed out"),
}
_MESSAGES: Final[Mapping[type[RaceMessage], tuple[_In, _In, _In, _In]]] = {
    # in a:             daily        live         practice     deadline
    wire.Join:         (_ALWAYS,     _ALWAYS,     _ALWAYS,     _ALWAYS),
    wire.Watch:        (_ALWAYS,     _ALWAYS,     _NEVER,      _ALWAYS),
    wire.Leave:        (_ALWAYS,     _ALWAYS,     _ALWAYS,     _ALWAYS),
    wire.Resume:       (_ALWAYS,     _ALWAYS,     _ALWAYS,     _ALWAYS),
    wire.GetStandings: (_ALWAYS,     _ALWAYS,     _ALWAYS,     _ALWAYS),
    wire.GetRecord:    (_ALWAYS,     _ALWAYS,     _ALWAYS,     _ALWAYS),
    wire.GetCurves:    (_ALWAYS,     _ALWAYS,     _NEVER,      _ALWAYS),
    wire.Explain:      (_FROM_START, _FROM_START, _FROM_START, _FROM_START),
    # A client whose connection was lost before the answer sends Ready and Start again.
    wire.Ready:        (_RUNNING,    _BEFORE_END, _RUNNING,    _RUNNING),
    wire.SendNonce:    (_NEVER,      _COUNTED,    _NEVER,      _NEVER),
    wire.Start:        (_NEVER,      _BEFORE_END, _NEVER,      _NEVER),
    wire.Unready:      (_NEVER,      _OPEN,       _NEVER,      _NEVER),
    wire.AddHouse:     (_NEVER,      _OPEN,       _NEVER,      _NEVER),
    wire.RemoveHouse:  (_NEVER,      _OPEN,       _NEVER,      _NEVER),
    # A daily has thousands of players, and nobody to cheer for in particular.
    wire.Cheer:        (_NEVER,      _NOT_CANCELLED, _NEVER,   _NOT_CANCELLED),
    # A closed race answers an old move once more; ``deciding`` refuses new ones.
    wire.Move:         (_FROM_START, _FROM_START, _FROM_START, _FROM_START),
}
# fmt: on

REASONS: Final[Mapping[Phase, Sentence]] = {
    "open": sentence("race.open"),
    "countdown": sentence("race.countdown"),
    "running": sentence("race.running"),
    "closed": sentence("race.closed"),
    "cancelled": sentence("race.cancelled"),
}
"""Why a race in this phase does not accept a message."""
NOT_YOURS: Final = sentence("race.practice_of_other")
TIME_OVER: Final = sentence("race.time_over")

PHASES: Final = _cells(_PHASES, get_args(RoomTrigger), get_args(Phase))
SEATS: Final = _cells(_SEATS, get_args(SeatTrigger), ("joined", "ready", "playing"))
MESSAGES: Final = _cells(_MESSAGES, get_args(RaceMessage), get_args(Kind))
OVER: Final = frozenset[State](get_args(State)) - {state for _, state in SEATS}
"""The states in which nothing more can happen."""
assert REASONS.keys() == {*get_args(Phase)}, "phases that are missing or unknown"


def phase_after(phase: Phase, trigger: RoomTrigger) -> Phase:
    """The phase after ``trigger``. Raises AssertionError if it is impossible in ``phase``."""
    after = PHASES[trigger, phase]
    assert after, f"a race that is {phase} can't be {trigger}"
    return after


def state_after(state: State, trigger: SeatTrigger) -> State:
    """A seat's state after ``trigger``. Raises AssertionError if it is impossible in ``state``."""
    after = SEATS.get((trigger, state))
    assert after, f"{trigger} can't come where a seat is {state}"
    return after
