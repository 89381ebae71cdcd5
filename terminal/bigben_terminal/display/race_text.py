"""Sentences about what has changed in a race."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from bigben_protocol import Cheers, PlayerId, Room, Standing, Standings, View
from bigben_protocol.cheer_lines import cheer_lines
from bigben_protocol.result_time import result_time
from bigben_protocol.wishes import choosing_text, deal_text
from bigben_terminal.display import headings
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.display.tables import clock, how
from bigben_terminal.language import game_text, language, listing, plain, say

OVER = ("won", "blocked", "resigned", "timed out")
"""The states of a seat whose game has ended."""


def heading(room: Room, dot: str = "·") -> str:
    """The race in one line."""
    if room.race.startswith("daily."):
        deal = deal_text(room)
        return f"{headings.of_board(room.race, dot)}{f' {dot} {game_text(deal)}' if deal else ''}."
    rules = room.rules
    terms = [say(f"race.{room.kind}", race=room.race), headings.of_rules(rules.game, rules.rules)]
    if rules.daily:
        terms.append(say("race.past", day=headings.of_day(rules.daily.split(".")[1])))
    if rules.limit_ms and room.kind in ("live", "deadline"):
        terms.append(say("race.limit", time=clock(rules.limit_ms)))
    if rules.undo:
        terms.append(say("race.undo"))
    if not rules.spectate:
        terms.append(say("race.unseen"))
    if deal := deal_text(room):
        terms.append(game_text(deal))
    if room.kind == "deadline" and room.closes_at:
        terms.append(say("race.until", at=moment(room.closes_at)))
    line = f"{', '.join(terms)}."
    return line[0].upper() + line[1:]


def moment(at: int) -> str:
    """A time of the server in the time zone of this machine, with its day."""
    when = datetime.fromtimestamp(at / 1000).astimezone()
    return say("moment", day=headings.of_day(f"{when:%Y-%m-%d}"), time=f"{when:%H:%M}")


def span(ms: int) -> str:
    """A length of time in its largest whole unit: ``2 minutes``, ``90 seconds``."""
    for unit, size in (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000)):
        if ms and ms % size == 0:
            return say(f"span.{unit}", count=ms // size)
    return say("span.seconds", count=ms // 1000)


def what_next(room: Room, me: PlayerId) -> str:
    """What the player can do in this race while they have no cards."""
    mine = next((seat for seat in room.seats if seat.player == me), None)
    match room.phase:
        case "closed":
            return void(room) or say("race.closed")
        case "cancelled":
            return void(room) or _cancelled(room)
        case _ if mine is None:
            return say("next.watching")
        case "running":
            return say("next.running")
        case "countdown":
            choosing = choosing_text(room)
            return game_text(choosing) if choosing else say("next.countdown")
        case "open" if mine.state == "ready":
            missing = [safe(seat.name) for seat in room.seats if seat.state != "ready"]
            if len(room.seats) < 2:
                return say("next.alone_host" if room.host == me else "next.alone")
            return say("next.ready", names=listing(missing)) if missing else say("next.all_ready")
        case "open":
            return say("next.open_host" if room.host == me else "next.open")


def _cancelled(room: Room) -> str:
    return game_text("choosing.unmixed") if room.unmixed else say("next.cancelled")


def void(room: Room) -> str:
    """That the race counts nowhere, and why; empty if it counts."""
    return say("race.void", why=safe(plain(room.void))) if room.void else ""


def instead(room: Room, options: str) -> list[str]:
    """What to do about a room that is over; ``options`` name the server."""
    if room.phase not in ("closed", "cancelled"):
        return []
    look_back = [say("next.final")] if room.phase == "closed" else []
    return [*look_back, say("next.new_room", command=f"bigben play --create{options}")]


def lobby(room: Room, me: PlayerId) -> list[str]:
    """Who of the others waits in the room: who is ready, and who is not yet."""
    others = [seat for seat in room.seats if seat.player != me]
    if not others or room.kind not in ("live", "deadline"):
        return []
    hosts = [safe(seat.name) for seat in others if seat.player == room.host]
    invited = [say("lobby.host", name=name) for name in hosts]
    if room.kind == "deadline":
        return invited
    if room.phase != "open":
        return [say("lobby.here", names=", ".join(safe(seat.name) for seat in others))]
    ready = [_with_absence(seat) for seat in others if seat.state == "ready"]
    missing = [_with_absence(seat) for seat in others if seat.state != "ready"]
    return [
        *invited,
        *([say("lobby.ready", names=", ".join(ready))] if ready else []),
        *([say("lobby.missing", names=", ".join(missing))] if missing else []),
    ]


def grace(room: Room) -> list[str]:
    """What happens to players who are away at the end, said before the start."""
    if room.kind != "live" or room.phase != "open":
        return []
    return [say("lobby.grace", time=span(room.rules.grace_ms))]


def before_start(room: Room, me: PlayerId) -> str:
    """The question that the host answers before a start: who is left out."""
    missing = [
        safe(seat.name) for seat in room.seats if seat.player != me and seat.state != "ready"
    ]
    if len(room.seats) - len(missing) < 2:
        left_out = say("start.left_out", names=listing(missing)) if missing else ""
        return " ".join(filter(None, (say("start.alone"), left_out, say("start.sure"))))
    if missing:
        return f"{say('start.without', names=listing(missing))} {say('start.sure')}"
    return say("start.sure")


def invitation(room: Room, me: PlayerId, options: str) -> list[str]:
    """How others can join, for a player who waits; ``options`` name the server."""
    joinable = room.phase == "open" or (room.kind == "deadline" and room.phase == "running")
    if not joinable or all(seat.player != me for seat in room.seats):
        return []
    # Nothing follows the command, so that it can be copied.
    return [say("lobby.join", command=f"bigben play {room.invite or room.race}{options}")]


def of_room(before: Room | None, after: Room, me: PlayerId) -> list[str]:
    """Sentences about the changes of a room."""
    if before is None:
        return []
    were = {seat.player: seat for seat in before.seats}
    are = {seat.player: seat for seat in after.seats}
    told = []
    if after.kind != "practice":
        came = [seat for player, seat in are.items() if player not in were and player != me]
        gone = [seat for player, seat in were.items() if player not in are and player != me]
        told += [say("room.joined", name=safe(seat.name)) for seat in came]
        told += [say("news.left", name=safe(seat.name)) for seat in gone]
    left_out = me in were and me not in are
    if left_out:
        told.append(say("room.without_you"))
    for player, seat in are.items():
        if (was := were.get(player)) is None:
            continue
        if player != me and was.state != seat.state and seat.state in ("joined", "ready"):
            key = "news.ready" if seat.state == "ready" else "room.not_ready"
            told.append(say(key, name=safe(seat.name)))
        elif was.state == "ready" and seat.state == "joined":
            told.append(say("room.you_not_ready"))
        if player != me:
            told += of_presence(was, seat)
    if before.phase != after.phase and not left_out:
        match after.phase:
            case "countdown":
                choosing = choosing_text(after)
                told.append(game_text(choosing) if choosing else say("room.countdown"))
            case "cancelled":
                told.append(_cancelled(after))
            case "open" | "running" | "closed":
                pass
    if before.mixing and not after.mixing and after.phase == "countdown":
        told.append(game_text(choosing_text(after)) if after.choosing else say("room.countdown"))
    if before.choosing and not after.choosing:
        told += [heading(after), say("room.countdown")]
    if after.void and not before.void:
        told.append(void(after))
    if after.counter > before.counter:
        told += [say("race.dealt_again"), what_next(after, me)]
    if after.rematch and not before.rematch:
        told.append(say("room.rematch", race=after.rematch))
    return told


def of_cheers(cheers: Cheers, seats: Mapping[PlayerId, Standing], me: PlayerId) -> list[str]:
    """What was called in a race, in one line."""
    names = {player: safe(seat.name) for player, seat in seats.items()}
    lines = cheer_lines(cheers.cheers, names, me, language())
    return [" ".join(lines)] if lines else []


def of_presence(was: Standing, seat: Standing) -> list[str]:
    """Whether a rival has gone away or come back, or will be out of time."""
    told = []
    if was.away != seat.away:
        told.append(say("news.away" if seat.away else "news.back", name=safe(seat.name)))
    if seat.ends_at and not was.ends_at:
        at = datetime.fromtimestamp(seat.ends_at / 1000).astimezone()
        told.append(say("room.ends", name=safe(seat.name), at=f"{at:%H:%M:%S}"))
    return told


def of_progress(
    before: Mapping[PlayerId, Standing], moved: Iterable[Standing], me: PlayerId, total: int
) -> tuple[list[str], list[str]]:
    """A line for each rival who has finished, left or returned, and the progress of the others.

    ``total`` cards home are a win.
    """
    ends: list[str] = []
    others: list[str] = []
    for seat in moved:
        was = before.get(seat.player)
        if seat.player == me:
            continue
        if was:
            ends += of_presence(was, seat)
            if (was.state, was.home) == (seat.state, seat.home):
                continue
        gained = seat.home - was.home if was and was.state == "playing" else 0
        key = "progress.gained" if gained > 0 and seat.state == "playing" else "progress.now"
        over = seat.state in OVER
        time = result_time(seat.home_ms) if over else clock(seat.ms)
        key = key if time else "progress.ended"
        line = say(key, name=safe(seat.name), gained=gained, how=how(seat, total), time=time)
        (ends if over else others).append(line)
    return ends, others


def of_end(view: View, total: int) -> list[str]:
    """The sentence for a player whose game is over or blocked; ``total`` cards home are a win."""
    match view.state:
        case "won":
            key = "end.won" if view.home_ms else "end.won_untimed"
            return [say(key, total=total, time=result_time(view.home_ms))]
        case "blocked":
            return [say("end.blocked", home=view.home, total=total)]
        case "resigned" | "timed out":
            state = say(f"state.{view.state}")
            return [say("end.over", state=state, home=view.home, total=total)]
        case "playing" if not view.legal and view.can_undo:
            return [say("end.undo")]
        case "playing" | "joined" | "ready":
            return []


def place_so_far(standings: Standings, room: Room, me: PlayerId) -> list[str]:
    """The place of a player who has finished before others, and who can still change it."""
    rows = standings.rows
    mine = next((row for row in rows if row.player == me), None)
    if mine is None or not mine.place:
        return []
    placed = say("end.so_far", place=mine.place, of=standings.players or len(rows))
    if room.kind == "daily":
        return [placed]
    waiting = [safe(row.name) for row in rows if row.state not in OVER]
    if not waiting and room.kind == "live":
        return []
    return [" ".join([placed, *([say("end.missing", names=listing(waiting))] if waiting else [])])]


def par(room: Room, standings: Standings, me: PlayerId) -> list[str]:
    """The shortest line that is known to win a closed race, and the player's own if they won."""
    if not room.par:
        return []
    mine = next((row for row in standings.rows if row.player == me), None)
    if mine and mine.state == "won":
        return [say("over.par_won", par=room.par, count=mine.moves)]
    return [say("over.par", count=room.par)]


def status(
    standings: Iterable[Standing],
    me: PlayerId,
    faces: Faces,
    *,
    ghosts: Mapping[PlayerId, int] = MappingProxyType({}),
) -> str:
    """Everybody's cards home in one line: the player first, then the leaders.

    ``ghosts`` are players who have finished, with their cards home at the player's own time.
    """
    begun = [seat for seat in standings if seat.state not in ("joined", "ready")]
    home = {seat.player: ghosts.get(seat.player, seat.home) for seat in begun}
    begun.sort(key=lambda seat: (seat.player != me, -home[seat.player], seat.home_ms))
    return f" {faces.dot} ".join(
        f"{say('you') if seat.player == me else safe(seat.name, 12)} {home[seat.player]}"
        f"{_mark(seat, me, ghost=seat.player in ghosts)}"
        for seat in begun
    )


def _mark(seat: Standing, me: PlayerId, *, ghost: bool) -> str:
    if ghost:
        return f" ({say('ghost')})"
    if seat.away and seat.player != me and seat.state == "playing":
        return f" {_away()}"
    return {"won": "!", "blocked": " x", "resigned": " x", "timed out": " x"}.get(seat.state, "")


def _with_absence(seat: Standing) -> str:
    return f"{safe(seat.name)} {_away()}" if seat.away else safe(seat.name)


def _away() -> str:
    return f"({say('away')})"
