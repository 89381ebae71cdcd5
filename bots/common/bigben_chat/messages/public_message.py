"""The public message of a race: its players and their progress, without cards."""

from collections.abc import Collection
from typing import Final

from bigben_chat import layout
from bigben_chat.messages import formatting
from bigben_chat.messages.content import Button, Content, Row, id_of
from bigben_chat.texts import Say
from bigben_protocol import Room, Standing, Standings

MOST_ROWS: Final = 15
"""The most seats that are shown; of the others only the number is."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
_SIGNS: Final = {
    "joined": "⏳",
    "ready": "✅",
    "playing": "🎴",
    "won": "🏆",
    "blocked": "⛔",
    "resigned": "🏳️",
    "timed out": "⌛",
}


def public_message(
    room: Room,
    final: Standings | None,
    say: Say,
    *,
    here: Collection[str] = (),
    head: str = "",
    invite: str = "",
) -> Content:
    """The current message. ``final`` are the final places, once the race has closed.

    ``here`` are the players who joined a daily from this channel; it shows only them. ``head`` is
    above the rest. The join button uses ``invite``, the invitation of an invite-only room.
    """
    title = say("public.title", race=formatting.race_name(room.race, say))
    limits = formatting.limits(room, say)
    above = [head, ""] if head else []
    above += [title, *([f"-# {limits}"] if limits else []), ""]
    seats = _seats(room, final, say, set(here) if room.kind == "daily" else None)

    def lines(rows: int) -> list[str]:
        return [*above, *seats[:rows], *_more(len(seats) - rows, say), "", _status(room, say)]

    return Content(formatting.fitted(lines, MOST_ROWS), _controls(room, say, invite))


def _seats(
    room: Room, final: Standings | None, say: Say, here: Collection[str] | None
) -> list[str]:
    if room.phase == "closed" and final is not None:
        return [_row(row, say, places=True) for row in final.rows if _shown(row, here)]
    seats = [seat for seat in room.seats if _shown(seat, here)]
    if room.phase in ("open", "countdown", "cancelled"):
        return [_waiting(seat, room, say) for seat in seats]
    begun = [seat for seat in seats if seat.state not in ("joined", "ready")]
    return [_row(seat, say, places=False) for seat in sorted(begun, key=_how_far)]


def _shown(seat: Standing, here: Collection[str] | None) -> bool:
    """The seats to show; a daily shows players who joined from this channel."""
    return here is None or seat.player in here


def _waiting(seat: Standing, room: Room, say: Say) -> str:
    host = say("public.host") if seat.player == room.host else ""
    return f"{_SIGNS[seat.state]} **{formatting.name(seat.name)}** {host}".rstrip()


def _row(seat: Standing, say: Say, *, places: bool) -> str:
    """``▰▰▰▱ 43 · Ada · 57 moves · 2:31``."""
    place = f"{_MEDALS.get(seat.place, f'{seat.place}.')} " if places else ""
    sign = "" if seat.state == "playing" else f" {_SIGNS[seat.state]}"
    bar = f"`{formatting.bar(seat.home, layout.TOTAL)} {seat.home:>3}`"
    moves = say("public.moves", moves=formatting.moves(seat.moves, seat.state))
    time = formatting.clock_time(seat.ms)
    return f"{place}{bar} **{formatting.name(seat.name)}**{sign} · {moves} · {time}"


def _more(rest: int, say: Say) -> list[str]:
    return [say("public.more", count=rest)] if rest > 0 else []


def _how_far(seat: Standing) -> tuple[int, int]:
    """The order of a running race, which is also the order at its end."""
    return -seat.home, seat.home_ms


def _status(room: Room, say: Say) -> str:
    match room.phase:
        case "open":
            return say("public.open")
        case "countdown":
            return say("public.countdown", at=formatting.moment(room.starts_at))
        case "running" if room.closes_at:
            return say("public.running", at=formatting.moment(room.closes_at))
        case "running":
            return ""
        case "closed":
            return say("public.closed")
        case "cancelled":
            return say("public.cancelled")


def _controls(room: Room, say: Say, invite: str) -> list[Row]:
    race = room.race
    mine = Button(say("button.board"), id_of("board", race), "primary")
    match room.phase:
        case "open":
            return [
                [
                    Button(say("button.join"), id_of("join", invite or race), "success"),
                    Button(say("button.ready"), id_of("ready", race), "primary"),
                    Button(say("button.start"), id_of("start", race)),
                    Button(say("button.leave"), id_of("leave", race), "danger"),
                ]
            ]
        case "countdown":
            return [[mine]]
        case "running" if room.kind == "daily":
            return [[Button(say("button.play"), id_of("play", race), "success")]]
        case "running":
            return [[mine]]
        case "closed":
            verify = Button(say("button.verify"), id_of("verify", race))
            if room.kind == "daily":
                play = id_of("play", formatting.todays(race))
                return [[Button(say("button.todays"), play, "success"), verify]]
            again = Button(say("button.rematch"), id_of("rematch", race), "success")
            return [[again, verify]]
        case "cancelled":
            return []
