"""Messages of a small race for tests to send: a stock of five cards that are turned one by one."""

from tests.client.scripted import ADA

from bigben_protocol import (
    Code,
    Diff,
    Phase,
    Pile,
    PlayerId,
    Progress,
    RaceId,
    Refused,
    Room,
    Rules,
    Snapshot,
    Standing,
    State,
    Step,
    digest,
)

RACE = RaceId("K7QPXM")
CARDS = ("7H", "KD", "2C", "AS", "10H")


def room(
    *, ref: int = 0, phase: Phase = "running", since: int = 1, state: State = "playing"
) -> Room:
    """The race, with Ada in it."""
    seats = (Standing(ADA, "Ada", state),)
    return Room(RACE, "live", phase, Rules(), "c0", 0, seats=seats, since=since, ref=ref)


def snapshot(n: int = 0) -> Snapshot:
    """The game after ``n`` cards are turned."""
    piles = {"w": Pile(CARDS[:n]), "s": Pile(down=len(CARDS) - n)}
    return Snapshot(RACE, n, "playing", 12, 0, piles, ("turn",), _digest(n))


def diff(n: int, *, move: str = "turn") -> Diff:
    """The turn of card ``n``."""
    steps = (Step("s", "w", CARDS[n - 1]),)
    return Diff(RACE, n, move, steps, "playing", 12, 0, ("turn",), _digest(n))


def end(n: int) -> Diff:
    """A timeout, as move ``n`` after ``n - 1`` turned cards."""
    return Diff(RACE, n, "timeout", (), "timed out", 12, 0, (), _digest(n - 1))


def refused(ref: int, *, code: Code = "illegal", text: str = "Not now.") -> Refused:
    """A refusal about the race."""
    return Refused(code, text, RACE, ref)


def progress(home: int, *, player: str = ADA) -> Progress:
    """The progress of a seat."""
    return Progress(RACE, (Standing(PlayerId(player), "Ada", "playing", home=home),))


def _digest(n: int) -> int:
    return digest({"w": (CARDS[:n], 0), "s": ((), len(CARDS) - n)})
