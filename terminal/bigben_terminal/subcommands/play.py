"""``bigben play``: joins a race and plays it in a terminal."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from functools import partial
from typing import get_args

from bigben_client import Client
from bigben_protocol import STRENGTHS, Grade, Room
from bigben_terminal import times
from bigben_terminal.attending import add_looks, attend
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.screen import Screen
from bigben_terminal.entering import choose, join
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_game,
    add_rules,
    add_server,
    options,
    run_online,
    today,
)
from bigben_terminal.servers.one_player import asks, be

_DESCRIPTION = """Play today's race, or the room with this code. Your seat is kept: the same command
brings you back to it. Write help, once there, for what can be typed."""

_EXAMPLES = """examples:
  bigben play --name Ada       today's race, the same deal for everybody
  bigben play --create         a room of your own; it tells you the code for your friends
  bigben play --create --grade hard
                               the same, with a hard deal that can be won
  bigben play --create --until tonight
                               the same, but each starts when they like, until then
  bigben play --create --house steady --house sharp
                               the same, with two house players
  bigben play K7QPXM           the room with this code
  bigben play --practice       alone, with undo
  bigben play --archive 2026-11-19
                               the daily of that day, as practice
  bigben play --game watch     another patience; with --create and --practice too
  bigben play --server ws://192.168.1.20:8765 --name Ada
                               on a friend's machine

docs/terminal.md says more."""


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument("race", nargs="?", default="", help="daily (the default), or a room's code")
    add_server(parser)
    parser.add_argument(
        "--link",
        default="",
        metavar="TOKEN",
        help="continue as the player who made this one-time link",
    )
    parser.add_argument(
        "--rename", default="", metavar="NAME", help="keep your player, but change its name to this"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--create", action="store_true", help="open a room for others to join")
    kind.add_argument("--practice", action="store_true", help="play alone, with undo")
    kind.add_argument(
        "--archive", default="", metavar="DAY", help="a daily that is over, as practice"
    )
    parser.add_argument("--seed", default="", help="for --practice: 64 hex digits")
    add_game(parser, "")
    add_rules(parser, "")
    parser.add_argument(
        "--invite-only", action="store_true", help="for --create: only those you tell may join"
    )
    parser.add_argument(
        "--house",
        action="append",
        choices=STRENGTHS,
        default=[],
        help="for --create: with this house player; may be given again",
    )
    parser.add_argument("--undo", action="store_true", help="for --create: moves can be taken back")
    parser.add_argument(
        "--no-spectate", action="store_true", help="for --create: nobody may watch before the end"
    )
    parser.add_argument(
        "--grace",
        type=times.duration,
        default=0,
        metavar="TIME",
        help="for --create: how long a player may be away once all others have finished (2m)",
    )
    parser.add_argument(
        "--until",
        type=times.deadline,
        default=0,
        metavar="TIME",
        help="for --create: each starts when they like until tonight, tomorrow, 3d (at most 7d) "
        "or 2026-11-25T20:00",
    )
    parser.add_argument(
        "--winnable",
        action="store_true",
        help="for --create and --practice: a deal that can be won",
    )
    parser.add_argument(
        "--grade",
        choices=[grade for grade in get_args(Grade) if grade],
        default="",
        help="for --create and --practice: a winnable deal that is so hard",
    )
    add_looks(parser)


def run(arguments: Namespace) -> int:
    """Play until the player leaves. Returns the exit code. Raises Complaint."""
    if arguments.race and (arguments.create or arguments.practice or arguments.archive):
        raise Complaint(say("wrong.new_game"))
    if arguments.seed and not arguments.practice:
        raise Complaint(say("wrong.seed"))
    settings = (arguments.undo, arguments.invite_only, arguments.no_spectate)
    if any((*settings, arguments.grace, arguments.until, arguments.house)) and not arguments.create:
        raise Complaint(say("wrong.settings"))
    if arguments.house and arguments.until:
        raise Complaint(say("wrong.house_until"))
    chooses = arguments.create or (arguments.practice and not arguments.seed)
    if (arguments.winnable or arguments.grade) and not chooses:
        raise Complaint(say("wrong.wishes"))
    if (arguments.game or arguments.rules) and arguments.race not in ("", "daily"):
        raise Complaint(say("wrong.rules"))
    enter, link = partial(_enter, arguments=arguments), arguments.link
    if link and not arguments.name and asks(arguments.server, link):
        run_online(be(arguments.server, link))
        link = ""
    return run_online(attend(arguments, enter, link=link, rename=arguments.rename))


async def _enter(client: Client, screen: Screen, *, arguments: Namespace) -> Room:
    """The requested room, after the player has joined it."""
    game, rules = arguments.game or "bigben", arguments.rules or "standard"
    deal = {"winnable": arguments.winnable, "grade": arguments.grade}
    if arguments.archive:
        daily = f"daily.{arguments.archive}.{game}.{rules}"[:64]
        return await client.create(game=game, rules=rules, practice=True, daily=daily)
    if arguments.practice:
        return await client.create(
            game=game, rules=rules, practice=True, seed=arguments.seed, **deal
        )
    if arguments.create:
        if arguments.house and not client.house:
            raise Complaint(say("wrong.no_house"))
        room = await client.create(
            game=game,
            rules=rules,
            undo=arguments.undo,
            invite_only=arguments.invite_only,
            spectate=not arguments.no_spectate,
            deadline_at=arguments.until,
            **deal,
            **({"grace_ms": arguments.grace} if arguments.grace else {}),
        )
        for strength in arguments.house:
            room = await client.add_house(room.race, strength)
        return room
    race = arguments.race
    if arguments.game or arguments.rules:
        race = today(game, rules)
    server = options(arguments.server, arguments.rename or arguments.name)
    return await join(client, screen, race or await choose(client, screen, server), server)
