"""Sentences about what has changed in a race."""

from collections.abc import Iterable, Mapping

from bigben_protocol import PlayerId, Room, Standing, View
from bigben_rules.bigben.layout import TOTAL
from bigben_terminal.display import headings
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.display.tables import clock, how

_OVER = ("won", "blocked", "resigned", "timed out")


def heading(room: Room, dot: str = "·") -> str:
    """The race in one line."""
    if room.kind == "daily":
        return f"{headings.of_board(room.race, dot)}."
    terms = [f"{room.kind} race {room.race}", f"{room.rules.rules} rules"]
    if room.rules.limit_ms and room.kind == "live":
        terms.append(f"limit {clock(room.rules.limit_ms)}")
    if room.rules.undo:
        terms.append("undo allowed")
    line = f"{', '.join(terms)}."
    return line[0].upper() + line[1:]


def what_next(room: Room, me: PlayerId) -> str:
    """What the player can do in this race while they have no cards."""
    mine = next((seat for seat in room.seats if seat.player == me), None)
    match room.phase:
        case "closed":
            return "The race is over."
        case "cancelled":
            return "The race was cancelled."
        case _ if mine is None:
            return "You are watching."
        case "running":
            return "Type ready to see the cards; your clock starts then."
        case "countdown":
            return "The cards are dealt in a moment."
        case "open" if mine.state == "ready":
            return "You are ready; the race starts when everybody is."
        case "open":
            host = "; start begins with the ready players" if room.host == me else ""
            return f"Type ready when you are{host}."


def invitation(room: Room, me: PlayerId, options: str) -> list[str]:
    """How others can join, for a player who waits; ``options`` name the server."""
    if room.phase != "open" or all(seat.player != me for seat in room.seats):
        return []
    # Nothing follows the command, so that it can be copied.
    return [f"Others join with: bigben play {room.invite or room.race}{options}"]


def of_room(before: Room | None, after: Room, me: PlayerId) -> list[str]:
    """Sentences about the changes of a room."""
    if before is None:
        return []
    were = {seat.player: seat for seat in before.seats}
    are = {seat.player: seat for seat in after.seats}
    told = []
    if after.kind != "practice":
        told += [f"{safe(are[p].name)} has joined." for p in are if p not in were and p != me]
        told += [f"{safe(were[p].name)} has left." for p in were if p not in are and p != me]
    left_out = me in were and me not in are
    if left_out:
        told.append("The race has started without you: you were not ready.")
    for player, seat in are.items():
        was = were.get(player)
        if was and player != me and was.state != seat.state and seat.state in ("joined", "ready"):
            told.append(f"{safe(seat.name)} is {'' if seat.state == 'ready' else 'not '}ready.")
        elif was and was.state == "ready" and seat.state == "joined":
            told.append("You are no longer ready.")
    if before.phase != after.phase and not left_out:
        match after.phase:
            case "countdown":
                told.append("Get ready! The cards are dealt in three seconds.")
            case "cancelled":
                told.append("The race was cancelled.")
            case "open" | "running" | "closed":
                pass
    if after.rematch and not before.rematch:
        told.append(f"There is a rematch: type rematch to join {after.rematch}.")
    return told


def of_progress(
    before: Mapping[PlayerId, Standing], moved: Iterable[Standing], me: PlayerId
) -> tuple[list[str], list[str]]:
    """A line for each rival who has finished, and the progress of the others."""
    ends: list[str] = []
    others: list[str] = []
    for seat in moved:
        was = before.get(seat.player)
        if seat.player == me or (was and (was.state, was.home) == (seat.state, seat.home)):
            continue
        line = f"{safe(seat.name)}: {how(seat)}, {clock(seat.ms)}."
        (ends if seat.state in _OVER else others).append(line)
    return ends, others


def of_end(view: View) -> list[str]:
    """The sentence for a player whose game is over or blocked."""
    match view.state:
        case "won":
            return [f"All {TOTAL} cards are home, in {clock(view.ms)}. Well played!"]
        case "blocked":
            return [f"No moves are left: {view.home} of {TOTAL} cards are home."]
        case "resigned" | "timed out":
            return [f"Your game is over ({view.state}): {view.home} of {TOTAL} cards are home."]
        case "playing" if not view.legal and view.can_undo:
            return ["No moves are left, but you can undo."]
        case "playing" | "joined" | "ready":
            return []


def status(standings: Iterable[Standing], me: PlayerId, faces: Faces) -> str:
    """Everybody's cards home in one line: the player first, then the leaders."""
    begun = [seat for seat in standings if seat.state not in ("joined", "ready")]
    begun.sort(key=lambda seat: (seat.player != me, -seat.home, seat.home_ms))
    marks = {"won": "!", "blocked": " x", "resigned": " x", "timed out": " x"}
    return f" {faces.dot} ".join(
        f"{'you' if seat.player == me else safe(seat.name, 12)} {seat.home}"
        f"{marks.get(seat.state, '')}"
        for seat in begun
    )
