"""The public message of a race: who is in it and how far everybody is. Names no card.

A pure function of what everybody may know; sends nothing.
"""

from collections.abc import Collection
from typing import Final

from bigben_chat import layout
from bigben_chat.store import Post
from bigben_chat.texts import Say
from bigben_discord import telling
from bigben_discord.controls import Content, Row, Tap, id_of
from bigben_protocol import Room, Standing, Standings

MOST_ROWS: Final = 15
"""Seats that are shown; of more there is only said how many they are."""
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


def message(post: Post, room: Room, final: Standings | None, say: Say) -> Content:
    """The message as it is to be now. ``final`` are the places of the end, once they are told."""
    title = say("public.title", race=telling.race_name(room.race, say))
    limits = telling.limits(room, say)
    head = [post.head, ""] if post.head else []
    head += [title, *([f"-# {limits}"] if limits else []), ""]
    seats = _seats(post, room, final, say)

    def lines(rows: int) -> list[str]:
        return [*head, *seats[:rows], *_more(len(seats) - rows, say), "", _status(room, say)]

    return Content(telling.fitted(lines, MOST_ROWS), _controls(post, room, say))


def _seats(post: Post, room: Room, final: Standings | None, say: Say) -> list[str]:
    here = set(post.players) if room.kind == "daily" else None
    if room.phase == "closed" and final is not None:
        return [_row(row, say, places=True) for row in final.rows if _shown(row, here)]
    seats = [seat for seat in room.seats if _shown(seat, here)]
    if room.phase in ("open", "countdown", "cancelled"):
        return [_waiting(seat, room, say) for seat in seats]
    begun = [seat for seat in seats if seat.state not in ("joined", "ready")]
    return [_row(seat, say, places=False) for seat in sorted(begun, key=_how_far)]


def _shown(seat: Standing, here: Collection[str] | None) -> bool:
    """A daily shows those who play from this channel."""
    return here is None or seat.player in here


def _waiting(seat: Standing, room: Room, say: Say) -> str:
    host = say("public.host") if seat.player == room.host else ""
    return f"{_SIGNS[seat.state]} **{telling.name(seat.name)}** {host}".rstrip()


def _row(seat: Standing, say: Say, *, places: bool) -> str:
    """``▰▰▰▱ 43 · Ada · 57 moves · 2:31``."""
    place = f"{_MEDALS.get(seat.place, f'{seat.place}.')} " if places else ""
    sign = "" if seat.state == "playing" else f" {_SIGNS[seat.state]}"
    bar = f"`{telling.bar(seat.home, layout.TOTAL)} {seat.home:>3}`"
    moves = say("public.moves", moves=telling.moves(seat.moves, seat.state))
    time = telling.clock_time(seat.ms)
    return f"{place}{bar} **{telling.name(seat.name)}**{sign} · {moves} · {time}"


def _more(rest: int, say: Say) -> list[str]:
    return [say("public.more", count=rest)] if rest > 0 else []


def _how_far(seat: Standing) -> tuple[int, int]:
    """The order of a race in progress: the order of its end."""
    return -seat.home, seat.home_ms


def _status(room: Room, say: Say) -> str:
    match room.phase:
        case "open":
            return say("public.open")
        case "countdown":
            return say("public.countdown", at=telling.moment(room.starts_at))
        case "running" if room.closes_at:
            return say("public.running", at=telling.moment(room.closes_at))
        case "running":
            return ""
        case "closed":
            return say("public.closed")
        case "cancelled":
            return say("public.cancelled")


def _controls(post: Post, room: Room, say: Say) -> list[Row]:
    race = room.race
    mine = Tap(say("button.board"), id_of("board", race), "primary")
    match room.phase:
        case "open":
            return [
                [
                    Tap(say("button.join"), id_of("join", post.invite or race), "success"),
                    Tap(say("button.ready"), id_of("ready", race), "primary"),
                    Tap(say("button.start"), id_of("start", race)),
                    Tap(say("button.leave"), id_of("leave", race), "danger"),
                ]
            ]
        case "countdown":
            return [[mine]]
        case "running" if room.kind == "daily":
            return [[Tap(say("button.play"), id_of("play", race), "success")]]
        case "running":
            return [[mine]]
        case "closed":
            verify = Tap(say("button.verify"), id_of("verify", race))
            if room.kind == "daily":
                play = id_of("play", telling.todays(race))
                return [[Tap(say("button.todays"), play, "success"), verify]]
            again = Tap(say("button.rematch"), id_of("rematch", race), "success")
            return [[again, verify]]
        case "cancelled":
            return []
