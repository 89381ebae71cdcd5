"""Getting into a race: which one, and what to do if it can't be joined."""

from rich.text import Text

from bigben_client import Client, RefusedError
from bigben_protocol import RaceInfo, Room
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import headings
from bigben_terminal.display.faces import printable, safe
from bigben_terminal.display.screen import Screen
from bigben_terminal.language import listing, say, told

_BEGUN = ("joined", "ready", "playing")
"""The states of a seat to which its player can return."""


async def join(client: Client, screen: Screen, race: str, options: str) -> Room:
    """Take a seat in that race, or watch it if the player prefers that to nothing.

    ``options`` name the server in commands. Raises Complaint, which says what to do instead.
    """
    try:
        return await client.join(race)
    except RefusedError as refused:
        said = told(refused)
        if refused.code == "unknown":
            raise Complaint(f"{said} {say('wrong.unknown', options=options)}") from None
        if refused.code not in ("phase", "seat", "limit"):
            raise
    if screen.editing:
        _show(screen, f"{said} {say('wrong.watch_now')}")
        if (await screen.line() or "").strip().lower() in say("start.yes").split():
            return await watch(client, race)
    raise Complaint(f"{said} {say('wrong.watch', race=printable(race), options=options)}")


async def watch(client: Client, race: str) -> Room:
    """Follow that race. Raises Complaint."""
    try:
        return await client.watch(race)
    except RefusedError as refused:
        raise Complaint(told(refused)) from None


async def choose(client: Client, screen: Screen, options: str) -> str:
    """The race to join: one in which the player has a seat, if they choose it; else today's."""
    try:
        races = (await client.races()).races
    except RefusedError:
        return "daily"  # an older server
    begun = [race for race in races if race.kind != "daily" and race.state in _BEGUN]
    if not begun:
        return "daily"
    if not screen.editing:
        for race in begun:
            command = f"bigben play {race.race}{options}"
            _show(screen, say("continue.with", race=_described(race, client), command=command))
        return "daily"
    for number, race in enumerate(begun, 1):
        _show(screen, say("continue.offer", number=number, race=_described(race, client)))
    _show(screen, say("continue.choose"))
    answer = (await screen.line() or "").strip().upper()
    by_answer = {str(number): race.race for number, race in enumerate(begun, 1)}
    return by_answer.get(answer) or answer.lower() or "daily"


def _described(race: RaceInfo, client: Client) -> str:
    rules = headings.of_rules(race.rules.game, race.rules.rules)
    others = [safe(name) for name in race.names if name != client.name]
    with_others = [say("continue.others", names=listing(others))] if others else []
    return ", ".join([f"{race.race}: {rules}", *with_others, say(f"continue.{race.phase}")])


def _show(screen: Screen, line: str) -> None:
    screen.show(Text(printable(line)))
