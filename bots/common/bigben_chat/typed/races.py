"""How races begin: ``daily``, ``race``, ``join``, ``ready``, ``rematch``, ``practice``."""

from typing import Final

from bigben_chat.actions import challenging, joining, practice, races, rooms
from bigben_chat.actions.deadlines import DEADLINES
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer, Sorry
from bigben_chat.typed.command import Choice, Command, Given, Option
from bigben_chat.typed.shared_options import (
    GAME,
    GRADE,
    HOUSE,
    RACE,
    RULES,
    of_race,
    or_here,
    or_last,
    variant,
)

_WHO: Final = tuple(Choice(one, f"who.{one}") for one in ("everybody", "here"))
_DEADLINES: Final = tuple(Choice(one, f"until.{one}") for one in DEADLINES)
_TO_LEAVE: Final = Option("race", described="race_to_leave")


async def _daily(chat: Chat, answer: Answer, given: Given) -> None:
    chosen = await variant(chat, answer, given)
    await races.daily(chat, answer, f"daily.{chosen.game}.{chosen.rules}")


async def _race(chat: Chat, answer: Answer, given: Given) -> None:
    chosen = await variant(chat, answer, given)
    if opponent := await given.person(chat, answer, "opponent"):
        await challenging.challenge(chat, answer, opponent, **chosen._asdict())
        return
    await rooms.open_room(
        chat,
        answer,
        game=chosen.game,
        rules=chosen.rules,
        minutes=given.number("minutes") or rooms.MINUTES,
        undo=given.yes("undo") or False,
        invite_only=given.text("who") == "here",
        deadline=given.text("deadline"),
        winnable=given.yes("winnable") or False,
        grade=given.text("grade"),
        house=given.text("house"),
    )


async def _join(chat: Chat, answer: Answer, given: Given) -> None:
    code = given.text("code") or chat.posts.open_room(answer.place)
    if not code:
        raise Sorry(answer.say("typed.no_room"))
    await joining.join_by_code(chat, answer, code)


async def _house(chat: Chat, answer: Answer, given: Given) -> None:
    strength = given.text("house")
    act = or_here(lambda chat, answer, race: rooms.house(chat, answer, race, strength))
    await act(chat, answer, given.text("race"))


async def _practice(chat: Chat, answer: Answer, given: Given) -> None:
    chosen = await variant(chat, answer, given)
    await practice.practise(chat, answer, **chosen._asdict(), day=given.text("day"))


COMMANDS: Final = (
    Command("daily", _daily, (GAME, RULES)),
    Command(
        "race",
        _race,
        (
            GAME,
            RULES,
            Option("minutes", "number"),
            Option("who", "choice", choices=_WHO),
            Option("undo", "yes"),
            Option("deadline", "choice", choices=_DEADLINES),
            Option("winnable", "yes"),
            GRADE,
            HOUSE,
            Option("opponent", "person", longest=200, by_name=True),
        ),
        where="here",
    ),
    Command("join", _join, (Option("code", described="code_or_here", longest=200),)),
    of_race("ready", or_here(rooms.ready_typed)),
    of_race("unready", or_here(rooms.unready)),
    of_race("start", or_here(rooms.start)),
    Command(
        "house", _house, (Option("house", "choice", required=True, choices=HOUSE.choices), RACE)
    ),
    of_race("leave", rooms.leave_typed, _TO_LEAVE),
    of_race("rematch", or_last(rooms.rematch), where="here"),
    Command("practice", _practice, (GAME, RULES, Option("day", "day"))),
)
