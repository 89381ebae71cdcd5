"""The commands of a race in play: ``move``, ``deal``, ``board``, ``resign``, ``cheer``."""

from dataclasses import replace
from typing import Final

from bigben_chat.actions import cheering, playing
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer
from bigben_chat.typed.command import Choice, Command, Given, Option
from bigben_chat.typed.shared_options import RACE, RACE_TO_PLAY, of_race
from bigben_protocol import CHEERS

_LOOKS: Final = tuple(Choice(one, f"look.{one}") for one in ("picture", "text"))
_COLOURS: Final = tuple(Choice(one, f"colours.{one}") for one in ("four", "two"))
_CHEERS: Final = tuple(Choice(one, f"cheer.{one}", "cheers") for one in CHEERS)


async def _move(chat: Chat, answer: Answer, given: Given) -> None:
    await playing.play(chat, answer, given.text("from"), given.text("race"), given.text("to"))


async def _deal(chat: Chat, answer: Answer, race: str) -> None:
    await playing.play(chat, answer, "deal", race)


async def _undo(chat: Chat, answer: Answer, race: str) -> None:
    await playing.play(chat, answer, "undo", race)


async def _board(chat: Chat, answer: Answer, given: Given) -> None:
    look, colours = given.text("look"), given.text("colours")
    await playing.board(
        chat,
        answer,
        given.text("race"),
        text=look == "text" if look else None,
        four_colours=colours == "four" if colours else None,
        hints=given.yes("hints"),
        cheers=given.yes("cheers"),
    )


async def _cheer(chat: Chat, answer: Answer, given: Given) -> None:
    await cheering.cheer(chat, answer, given.text("cheer"), given.text("race"))


COMMANDS: Final = (
    Command(
        "move",
        _move,
        (
            Option("from", required=True, longest=12),
            Option("to", "words", longest=12),
            replace(RACE_TO_PLAY, by_name=True),
        ),
    ),
    of_race("deal", _deal, RACE_TO_PLAY),
    of_race("undo", _undo, RACE_TO_PLAY),
    of_race("hint", playing.hint, RACE_TO_PLAY),
    Command(
        "board",
        _board,
        (
            Option("look", "choice", choices=_LOOKS),
            Option("colours", "choice", choices=_COLOURS),
            Option("hints", "yes"),
            Option("cheers", "yes"),
            RACE,
        ),
    ),
    replace(of_race("resign", playing.resign, RACE_TO_PLAY), in_full=True),
    Command("cheer", _cheer, (Option("cheer", "choice", required=True, choices=_CHEERS), RACE)),
)
