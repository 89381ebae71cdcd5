"""Reads a typed line: which command it is, and the values of its options. Pure.

A command may be begun: ``lead``. A line that is a move, ``3 fdn`` or ``turn``, is the command
``move``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from bigben_chat.actions import variants
from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser
from bigben_chat.platform import Answer, Sorry
from bigben_chat.texts import Say
from bigben_chat.tree import Command as Written
from bigben_chat.tree import Quoted, Text, joined
from bigben_chat.typed.arguments import Word, values_of
from bigben_chat.typed.command import Command, Given, Value
from bigben_chat.typed.commands import COMMANDS
from bigben_protocol import GameInfo
from bigben_protocol.typed_moves import begins_at_pile, words_after

LONGEST: Final = 1000
"""The most letters of a line."""
_SHOWN: Final = 40
"""How many letters of what was not understood are said."""
_CLOSE: Final = 0.7
"""How alike, of 1, a name has to be to what was typed to be asked about."""
_WORD: Final = re.compile(r'(?:([^\W\d][\w-]*)[:=])?["“”„«»]([^"“”„«»]*)["“”„«»]|(\S+)')
_NAMED: Final = re.compile(r"([^\W\d][\w-]*)[:=](.*)", re.DOTALL)
_SAME: Final[Mapping[str, str]] = {"?": "help", "h": "help", "hilfe": "help"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a line asks for."""

    command: Command
    values: Mapping[str, Value]

    async def do(self, chat: Chat, answer: Answer) -> None:
        """Do it; raises whatever an action raises."""
        await self.command.do(chat, answer, Given(self.values))


async def understood(chat: Chat, user: ChatUser, line: str, say: Say) -> Asked:
    """What a user's line asks for, by the games of the server. Raises Sorry and ClientError."""
    return read(line, say, await variants.known(chat, user))


def read(line: str, say: Say, games: Iterable[GameInfo]) -> Asked:
    """What this line asks for, which begins after whatever calls the bot.

    Raises Sorry, which says what to type instead.
    """
    if len(line) > LONGEST:
        raise Sorry(say("typed.long"))
    words, games = _words(line) or [Word("help")], tuple(games)
    first = words[0].text.casefold()
    bare = [word for word in words if not word.name]
    if len(bare) <= 2 and any(begins_at_pile(first, game) for game in games):
        command, count = command_named("move"), 0
    else:
        command, count = _command(words, games, say)
    return Asked(command, values_of(command, words[count:], games, say))


def _words(line: str) -> list[Word]:
    found = []
    for name, quoted, bare in _WORD.findall(line):
        if bare:
            named = _NAMED.fullmatch(bare)
            found.append(Word(bare, named[1], named[2]) if named else Word(bare))
        elif quoted.strip() or name:
            found.append(Word(quoted.strip(), name, quoted.strip(), quoted=True))
    return found


def command_named(name: str) -> Command:
    """The command of exactly this name."""
    return next(command for command in COMMANDS if command.name == name)


def _command(words: Sequence[Word], games: Sequence[GameInfo], say: Say) -> tuple[Command, int]:
    """The command that the words begin with, and how many words its name is."""
    typed = words[0].text.casefold()
    first = _SAME.get(typed, typed)
    moves = {move for game in games for move in words_after(game)}
    heads = {command.name.split()[0]: command for command in COMMANDS}
    head = _begun(first, {*heads, *moves}, say)
    if head not in heads:
        return command_named("move"), 0
    if " " not in heads[head].name:
        return heads[head], 1
    second = words[1].text.casefold() if len(words) > 1 and not words[1].name else ""
    under = {command.name for command in COMMANDS if command.name.startswith(f"{head} ")}
    if not second:
        return command_named(f"{head} table"), 1
    return command_named(_begun(f"{head} {second}", under, say)), 2


def _begun(start: str, known: Iterable[str], say: Say) -> str:
    """The one name that begins so. Raises Sorry if there is none, or several."""
    fitting = sorted(name for name in known if name.startswith(start))
    in_full = {command.name for command in COMMANDS if command.in_full}
    if start in fitting:
        return start
    match [name for name in fitting if name not in in_full]:
        case [one]:
            return one
        case [_, *_] as several:
            raise Sorry(
                say("typed.several", typed=Quoted(start[:_SHOWN]), commands=_listed(several))
            )
        case _ if fitting:
            raise Sorry(say("typed.in_full", command=Written(fitting[0])))
        case _:
            raise Sorry(_unknown(start, known, say))


def _unknown(start: str, known: Iterable[str], say: Say) -> Text:
    """What to type instead of what nobody knows."""
    # Names that share their first word are told apart by their last.
    last = {name.split()[-1]: name for name in known}
    close = get_close_matches(start.split()[-1][:_SHOWN], last, cutoff=_CLOSE)
    typed = Quoted(start[:_SHOWN])
    if not close:
        return say("typed.unknown", typed=typed)
    return say("typed.meant", typed=typed, commands=_listed(last[one] for one in close))


def _listed(names: Iterable[str]) -> Text:
    return joined([Written(name) for name in names], ", ")
