"""Times, races and days in words."""

from datetime import date

from bigben_chat.records import MAIN, STANDARD
from bigben_chat.texts import Say
from bigben_chat.tree import Quoted, Text, Time, text
from bigben_protocol import Room, Standing, State, View, span_name, texts
from bigben_protocol.wishes import deal_text


def clock_time(ms: int) -> str:
    """A time on a clock.

    >>> clock_time(754_321), clock_time(3_600_000)
    ('12:34', '1:00:00')
    """
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def moves(n: int, state: State) -> int:
    """The number of moves, without giving up and timeouts.

    >>> moves(12, "playing"), moves(12, "won"), moves(12, "timed out"), moves(12, "resigned")
    (12, 12, 11, 11)
    """
    return n - 1 if n and state in ("resigned", "timed out") else n


def counted_moves(n: int, state: State, say: Say) -> str:
    """``move 12``, or that there was none yet."""
    count = moves(n, state)
    return say.label("public.moves", moves=count) if count else say.label("public.no_moves")


def bar(part: int, whole: int, cells: int = 10) -> str:
    """A progress bar.

    >>> bar(52, 104)
    '▰▰▰▰▰▱▱▱▱▱'
    """
    full = part * cells // whole
    return "▰" * full + "▱" * (cells - full)


def day_of(race: str) -> date | None:
    """The day of a daily race; None for others, and for what somebody typed that is no day."""
    parts = race.split(".")
    try:
        return date.fromisoformat(parts[1]) if parts[0] == "daily" and len(parts) == 4 else None
    except ValueError:
        return None


def season_of(race: str) -> str:
    """The season of a week's race; empty for others.

    >>> season_of("week.K7QPXM2A.3"), season_of("K7QPXM")
    ('K7QPXM2A', '')
    """
    parts = race.split(".")
    return parts[1] if parts[0] == "week" and len(parts) > 2 else ""


def todays(race: str) -> str:
    """The daily of today in the game and by the rules of another day's.

    >>> todays("daily.2026-11-21.bigben.book")
    'daily.bigben.book'
    """
    return f"daily.{'.'.join(race.split('.')[2:])}"


def day(when: date, say: Say) -> str:
    """A date as people write it."""
    return span_name("daily", when.isoformat(), say.language)


def race_name(race: str, say: Say) -> str:
    """``Daily race, 21 November 2026`` or ``Race K7QPXM``.

    A daily of another game than the main one, or by other rules than the usual, is another race of
    the same day: it is called by them too.
    """
    if season_of(race):
        return say.label("race.week", week=race.split(".")[2])
    when = day_of(race)
    if when is None:
        return say.label("race.live", code=race)
    name = say.label("race.daily", day=day(when, say))
    game, rules = race.split(".")[2:]
    if (game, rules) == (MAIN, STANDARD):
        return name
    return f"{name} · {variant_name(game, rules, say)}"


def game_name(game: str, say: Say) -> str:
    """What a game is called."""
    return say.game_text(f"game.{game}")


def rules_name(game: str, rules: str, say: Say) -> str:
    """What rules are called; those that have no name of their own by their fields."""
    return say.game_text(f"rules.{game}.{rules}")


def variant_name(game: str, rules: str, say: Say) -> str:
    """A game and its rules; the usual rules go without saying.

    >>> from bigben_chat.texts import say_in
    >>> english = say_in("en")
    >>> variant_name("bigben", "book", english), variant_name("watch", "standard", english)
    ('Big Ben · Rules of the book', 'Watch')
    """
    named = game_name(game, say)
    return named if rules == STANDARD else f"{named} · {rules_name(game, rules, say)}"


def away(seat: Standing, say: Say) -> Text:
    """What is said after the name of a player who is away; empty for all others."""
    if not seat.away or seat.state not in ("joined", "ready", "playing"):
        return ()
    if seat.ends_at:
        return text(" · 💤 ", say("public.ends", at=Time(seat.ends_at)))
    return text(" · 💤 ", say("away"))


def limits(room: Room, say: Say) -> str:
    """By what a race is played, in a few words."""
    game, rules = room.rules.game, room.rules.rules
    named = room.kind == "daily" and (game, rules) != (MAIN, STANDARD)
    said = [] if named else [variant_name(game, rules, say)]
    if room.kind == "deadline":
        said.append(say.label("race.deadline"))
    if room.rules.limit_ms:
        said.append(say.label("race.limit", minutes=room.rules.limit_ms // 60_000))
    if room.rules.undo:
        said.append(say.label("race.undo"))
    if room.rules.invite_only:
        said.append(say.label("race.invite"))
    if deal := deal_text(room):
        said.append(say.game_text(deal))
    return " · ".join(said)


def exceptions(room: Room, say: Say) -> Text:
    """That the race is void, and why, or that its cards were dealt again; mostly empty."""
    if room.void:
        why = say.told([texts.plain(room.void)], room.void)
        return text("🚫 ", say("race.void", why=Quoted(why)))
    return text("🔁 ", say("race.dealt_again")) if room.counter else ()


def par(room: Room, own: View | None, say: Say) -> Text:
    """The best known win of a closed race, and the moves of ``own`` if that game was won."""
    if not room.par:
        return ()
    if own is None or own.state != "won":
        return say("over.par", count=room.par)
    return say("over.par_won", par=room.par, count=own.n)
