"""The public message of a race: its players and their progress, without cards."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from bigben_chat.messages import formatting
from bigben_chat.messages.content import Button, Content, Menu, Option, Row, id_of, play_here
from bigben_chat.messages.seasons import week_buttons
from bigben_chat.picture.results import MOST, RacePicture, Racer
from bigben_chat.texts import Say
from bigben_chat.tree import (
    Code,
    Link,
    Listed,
    Name,
    Part,
    Rest,
    Small,
    Strong,
    Text,
    Time,
    lines,
    text,
)
from bigben_protocol import STRENGTHS, GameInfo, PlayerId, Room, Standing, Standings, texts
from bigben_protocol.result_time import result_time
from bigben_protocol.share import Hours
from bigben_protocol.wishes import choosing_text

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
    game: GameInfo,
    room: Room,
    final: Standings | None,
    say: Say,
    *,
    here: Collection[str] = (),
    head: Text = (),
    invite: str = "",
    remind: bool = False,
    page: str = "",
    house: bool = False,
    frames: bool = False,
) -> Content:
    """The current message. ``final`` are the final places, once the race has closed.

    ``here`` are the players who joined a daily from this channel; it shows only them. ``head`` is
    above the rest. The join button uses ``invite``, the invitation of an invite-only room. With
    ``remind`` a running daily has the button with which members take or drop the reminder role.
    ``page`` is where browsers can watch, if they can. With ``house`` an open room has the menu of
    house players, and with ``frames`` a race that is not over has the button that opens the page.
    """
    title = say("public.title", race=formatting.race_name(room.race, say))
    limits = formatting.limits(room, say)
    above: list[Part | Text] = [head, ""] if head else []
    above += [title, *([Small((limits,))] if limits else [])]
    luck = text(Small((say.game_text(f"game.{game.name}.luck"),)), "\n")
    above.append("" if game.decides else luck)
    seats = _seats(game, room, final, say, set(here) if room.kind == "daily" else None)
    told = lines(*above, *([_listed(seats, say)] if seats else []), "", _status(room, say, page))
    rows = [*_controls(room, say, invite, frames=frames)]
    if house and room.phase == "open":
        rows.append(_house(room, say))
    if (season := formatting.season_of(room.race)) and room.phase == "running":
        rows.append(week_buttons(season, say))
    if remind and room.phase == "running":
        rows.append([Button(say.label("button.remind"), id_of("remind"))])
    return Content(told, rows)


def race_rows(room: Room, final: Standings | None) -> Sequence[Standing]:
    """The players of the race's picture, from the first on; none where it has no picture.

    Of a daily each place has its own players, so they would be too many pictures.
    """
    if room.kind == "daily" or room.void:
        return ()
    if final is not None:
        return final.rows
    open_to_all = room.phase == "running" and room.kind == "live" and room.rules.spectate
    return _by_progress(room.seats) if open_to_all else ()


def race_picture(
    game: GameInfo,
    room: Room,
    rows: Sequence[Standing],
    say: Say,
    hours: Mapping[PlayerId, Hours],
) -> RacePicture:
    """The players of a race side by side, as a picture that names no card."""
    of = texts.fill(texts.of("share", say.language)["share.of"], total=game.total)
    racers = [
        Racer(
            row.name,
            row.home,
            _how(row, say),
            row.place,
            _behind(row, rows[0], say) or of,
            hours.get(row.player, ()),
        )
        for row in rows[:MOST]
    ]
    more = len(rows) - len(racers)
    return RacePicture(
        formatting.race_name(room.race, say),
        formatting.limits(room, say),
        game.total,
        racers,
        say.label("public.more", count=more) if more > 0 else "",
    )


def described(picture: RacePicture) -> str:
    """The same for those who do not see it."""
    shown = [f"{racer.name}: {racer.home}/{picture.total}" for racer in picture.racers]
    places = [f"{racer.place}. " if racer.place else "" for racer in picture.racers]
    return "\n".join(map("".join, zip(places, shown, strict=True)))


def _how(row: Standing, say: Say) -> str:
    """How a player plays, or how long they took for the cards that are home."""
    if row.state != "playing" and (time := result_time(row.home_ms)):
        return time
    if row.state == "playing" and row.away:
        return say.label("away")
    return formatting.counted_moves(row.moves, row.state, say)


def _behind(row: Standing, first: Standing, say: Say) -> str:
    """By how many cards, or by how much time."""
    if cards := first.home - row.home:
        return say.label("public.behind", count=cards)
    late = row.home_ms - first.home_ms
    return f"+{formatting.clock_time(late)}" if row.place and late > 0 else ""


def _listed(seats: Sequence[Text], say: Say) -> Listed:
    more = text("\n", say("public.more", count=Rest()))
    return Listed(tuple(seats[:MOST_ROWS]), more, len(seats), MOST_ROWS)


def _seats(
    game: GameInfo, room: Room, final: Standings | None, say: Say, here: Collection[str] | None
) -> list[Text]:
    if room.phase == "closed" and final is not None:
        return [_row(game, row, say, places=True) for row in final.rows if _shown(row, here)]
    seats = [seat for seat in room.seats if _shown(seat, here)]
    # What spectators may not see is not for a channel either.
    if room.phase in ("open", "countdown", "cancelled") or not room.rules.spectate:
        return [_waiting(seat, room, say) for seat in seats]
    begun = _by_progress(seats)
    rows = [_row(game, seat, say, places=False) for seat in begun]
    others = [seat for seat in seats if seat not in begun and room.kind == "deadline"]
    return [*rows, *(_waiting(seat, room, say) for seat in others)]


def _by_progress(seats: Iterable[Standing]) -> list[Standing]:
    """Those who have begun, in an order that is also the one at the end."""
    begun = [seat for seat in seats if seat.state not in ("joined", "ready")]
    return sorted(begun, key=lambda seat: (-seat.home, seat.home_ms))


def _shown(seat: Standing, here: Collection[str] | None) -> bool:
    """The seats to show; a daily shows players who joined from this channel."""
    return here is None or seat.player in here


def _waiting(seat: Standing, room: Room, say: Say) -> Text:
    host = text(" ", say("public.host")) if seat.player == room.host else ()
    named = text(_SIGNS[seat.state], " ", Strong((Name(seat.name),)), _bot(seat), host)
    return text(named, formatting.away(seat, say))


def _row(game: GameInfo, seat: Standing, say: Say, *, places: bool) -> Text:
    """``▰▰▰▱ 43 · Ada · 57 moves · 2:31``; a result has the time that decides its place, if any."""
    place = f"{_MEDALS.get(seat.place, f'{seat.place}.')} " if places else ""
    sign = "" if seat.state == "playing" else f" {_SIGNS[seat.state]}"
    bar = Code(f"{formatting.bar(seat.home, game.total)} {seat.home:>3}")
    moves = formatting.counted_moves(seat.moves, seat.state, say)
    playing = seat.state == "playing"
    time = formatting.clock_time(seat.ms) if playing else result_time(seat.home_ms)
    said = " · ".join(filter(None, (moves, time)))
    named = text(place, bar, " ", Strong((Name(seat.name),)), _bot(seat), sign)
    return text(named, f" · {said}", formatting.away(seat, say))


def _bot(seat: Standing) -> str:
    return " 🤖" if seat.bot else ""


def _house(room: Room, say: Say) -> Menu:
    """The house players: choosing one adds it, and once more takes it out again."""
    options = [Option(say.label(f"house.{key}"), key, say.house_text(key)) for key in STRENGTHS]
    return Menu(say.label("button.house"), id_of("house", room.race), options)


def _status(room: Room, say: Say, page: str) -> Text:
    said = [formatting.exceptions(room, say), _phase(room, say)]
    link = Link(f"{page}/#watch={room.race}")
    if page and room.phase == "closed":
        said.append(say("public.replay", link=link))
    elif page and room.phase == "running" and room.rules.spectate:
        said.append(say("public.watch", link=link))
    said.append(formatting.par(room, None, say))
    if room.rematch:
        said.append(say("public.rematch", code=room.rematch))
    return lines(*filter(None, said))


def _phase(room: Room, say: Say) -> Text:
    match room.phase:
        case "open":
            grace = formatting.clock_time(room.rules.grace_ms)
            return lines(say("public.open"), Small(say("public.grace", time=grace)))
        case "countdown" if choosing := choosing_text(room):
            return (Strong((say.game_text(choosing),)),)
        case "countdown":
            return say("public.countdown", at=Time(room.starts_at))
        case "running" if room.kind == "deadline":
            at = Time(room.closes_at, "date")
            return say("public.deadline", at=at, left=Time(room.closes_at))
        case "running" if room.closes_at:
            return say("public.running", at=Time(room.closes_at))
        case "running":
            return ()
        case "closed":
            return say("race.closed")
        case "cancelled":
            return (
                text(say.game_text("choosing.unmixed")) if room.unmixed else say("race.cancelled")
            )


def _controls(room: Room, say: Say, invite: str, *, frames: bool) -> list[Row]:
    race = room.race
    here = [play_here(invite or race, say)] if frames else []
    mine = Button(say.label("button.board"), id_of("board", race), "primary")
    match room.phase:
        case "open":
            return [
                [
                    Button(say.label("button.join"), id_of("join", invite or race), "success"),
                    Button(say.label("button.ready"), id_of("ready", race), "primary"),
                    Button(say.label("button.start"), id_of("start", race)),
                    Button(say.label("button.leave"), id_of("leave", race), "danger"),
                    *here,
                ]
            ]
        case "running" if room.kind != "live":
            begin = Button(say.label("button.play"), id_of("play", invite or race), "success")
            return [[begin, *here]]
        case "countdown" | "running":
            return [[mine, *here]]
        case "closed":
            verify = Button(say.label("button.verify"), id_of("verify", race))
            if room.kind == "daily":
                play = id_of("play", formatting.todays(race))
                return [[Button(say.label("button.todays"), play, "success"), verify]]
            if room.kind != "live":
                return [[verify]]
            again = Button(say.label("button.rematch"), id_of("rematch", race), "success")
            return [[again, verify]]
        case "cancelled":
            return []
