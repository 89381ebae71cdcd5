"""``bigben challenge``: challenge a player, and accept or decline what others have sent."""

from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from functools import partial

from bigben_client import Client, RefusedError
from bigben_protocol import ChallengeInfo, Challenges, Room
from bigben_terminal.attending import add_looks, attend
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import challenges
from bigben_terminal.display.faces import printable, safe
from bigben_terminal.display.screen import Screen
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_game,
    add_rules,
    add_server,
    connected,
    options,
    run_online,
)
from bigben_terminal.servers.players import player_named


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """Challenge a player to a race, or accept or decline a challenge. Without
    a name, list your challenges and what became of them. Who is challenged has a day to answer."""
    parser.add_argument("player", nargs="?", default="", help="a name or an id")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--accept", action="store_true", help="race against this player now")
    answer.add_argument("--decline", action="store_true", help="say no to this player")
    add_server(parser)
    add_game(parser)
    add_rules(parser)
    add_looks(parser)
    parser.set_defaults(race="")


def run(arguments: Namespace) -> int:
    """Show the challenges after the change, or race. Returns the exit code. Raises Complaint."""
    if arguments.accept:
        return run_online(attend(arguments, partial(_enter, arguments=arguments)))
    return run_online(_run(arguments))


async def _run(arguments: Namespace) -> None:
    async with connected(arguments.server, arguments.name) as client:
        if arguments.decline:
            wanted = await _waiting(client, arguments.player)
            await client.answer_challenge(wanted.id, accept=False)
            print(say("challenge.refused"))
            return
        if arguments.player:
            player = await player_named(client, arguments.player, arguments.game)
            await client.challenge(player, game=arguments.game, rules=arguments.rules)
        shown = options(arguments.server, arguments.name)
        async for line in _lines(client, await client.challenges(), shown):
            print(printable(line))


async def _enter(client: Client, _: Screen, *, arguments: Namespace) -> Room:
    """The room of an accepted challenge, after the player has joined it."""
    wanted = await _waiting(client, arguments.player)
    answered = await client.answer_challenge(wanted.id, accept=True)
    return await client.join(next(o.race for o in answered.received if o.id == wanted.id))


async def _waiting(client: Client, name: str) -> ChallengeInfo:
    """The challenge of this player that waits for an answer, or the only one. Raises Complaint."""
    waiting = [one for one in (await client.challenges()).received if one.state == "waiting"]
    if name:
        waiting = [one for one in waiting if name.casefold() in (one.name.casefold(), one.player)]
    if not waiting:
        raise Complaint(say("challenge.nobody", name=printable(name[:40] or "NAME")))
    if len(waiting) > 1:
        raise Complaint(say("challenge.which"))
    return waiting[0]


async def _lines(client: Client, found: Challenges, shown: str) -> AsyncIterator[str]:
    for one in found.received:
        yield f"{challenges.said('received', one)}{await _record(client, one)}"
        for line in challenges.way_on(one, shown):
            yield line
    for one in found.sent:
        yield challenges.said("waits" if one.state == "waiting" else one.state, one)
        for line in challenges.way_on(one, shown) if one.race else ():
            yield line
    if not (found.received or found.sent):
        yield say("challenge.none")


async def _record(client: Client, one: ChallengeInfo) -> str:
    """Who was ahead so far, after a space; empty if they have not raced."""
    try:
        against = (await client.profile(against=one.player)).against
    except RefusedError:  # who has no result is on no board
        return ""
    if not against or not (against.ahead or against.behind or against.level):
        return ""
    score = {"ahead": against.ahead, "behind": against.behind}
    return f" {say('challenge.record', name=safe(one.name), **score)}"
