"""What a player is told before a race: who would be left out of it, or why there is no seat."""

from collections.abc import Sequence
from typing import Final

from bigben_chat.messages import formatting
from bigben_chat.messages.content import Button, Content, Row, id_of
from bigben_chat.texts import Say
from bigben_chat.tree import Link, Listed, Name, Rest, Strong, Text, lines, text
from bigben_protocol import PlayerId, Room, Standing

MOST_NAMES: Final = 25
"""The most names of players in a question; of the others only the number is."""


def left_out(room: Room) -> Sequence[Standing]:
    """The players who are not ready and would lose their seats; the host would be ready."""
    return [seat for seat in room.seats if seat.state == "joined" and seat.player != room.host]


def is_alone(room: Room) -> bool:
    """Whether the host would race alone."""
    return not any(seat.state == "ready" and seat.player != room.host for seat in room.seats)


def asks_first(room: Room) -> bool:
    """Whether the host is asked before the start: somebody would be left out, or nobody be left."""
    return bool(left_out(room)) or is_alone(room)


def ask(room: Room, left: str, say: Say) -> Content:
    """The question. ``left`` stands for the players that it names, in the id of its button."""
    missing = tuple(text(Strong((Name(seat.name),))) for seat in left_out(room))
    alone = is_alone(room)
    key = ("alone" if missing else "nobody") if alone else "without"
    title = say("public.title", race=formatting.race_name(room.race, say))
    go = say.label("button.go_alone" if alone else "button.go")
    buttons = [
        Button(go, id_of("go", room.race, left), "danger"),
        Button(say.label("button.stay"), id_of("stay", room.race), "primary"),
    ]

    more = text(", ", say("public.more", count=Rest()))
    names = (Listed(missing, more, most=MOST_NAMES, between=", "),) if missing else ()
    return Content(lines(title, say(f"start.{key}", names=names)), [buttons])


def only_house(room: Room, player: PlayerId) -> bool:
    """Whether this player would race against nobody but house players once they are ready."""
    others = [seat for seat in room.seats if seat.player != player]
    return room.phase == "open" and bool(others) and all(seat.bot for seat in others)


def ask_about_house(room: Room, names: str, say: Say) -> Content:
    """Ask the one player of a room whether to start beside its house players, or to wait."""
    title = say("public.title", race=formatting.race_name(room.race, say))
    buttons = [
        Button(say.label("button.go_house"), id_of("go", room.race, names), "success"),
        Button(say.label("button.stay"), id_of("stay", room.race), "primary"),
    ]
    return Content(lines(title, say("start.house")), [buttons])


def instead(why: Text, room: Room | None, page: str, say: Say) -> Content:
    """Why a player has no seat, and what to do. ``page`` is where browsers can watch, if they can.

    ``room`` is the race, if there is one that they may watch.
    """
    another = Button(say.label("button.open"), id_of("open"), "success")
    if room is None:
        return Content(lines(why, say("instead.unknown")), [[another]])
    told = [say("public.title", race=formatting.race_name(room.race, say)), why]
    told.append(say(f"instead.{_state(room)}"))
    buttons: list[Button] = []
    if room.phase in ("running", "closed"):
        buttons.append(
            Button(say.label("button.standings"), id_of("standings", room.race), "primary")
        )
        if page:
            told.append(say("instead.page", link=Link(f"{page}/#watch={room.race}")))
    if room.phase == "closed":
        buttons.append(Button(say.label("button.verify"), id_of("verify", room.race)))
    rows: list[Row] = [[*buttons, another]]
    return Content(lines(*told), rows)


def _state(room: Room) -> str:
    """What about the room leaves no seat."""
    return {"open": "invited" if room.rules.invite_only else "full"}.get(room.phase, room.phase)
