"""What every button and menu does; only its id and the user decide that.

So buttons of old messages and from before a restart work, or the answer says why not.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from bigben_chat.actions import (
    challenging,
    forgetting,
    leaderboards,
    learning,
    linking,
    practice,
    races,
    rooms,
    seasons,
    sharing,
    verification,
)
from bigben_chat.chat import Chat
from bigben_chat.messages.help_text import commands_help, game_help
from bigben_chat.messages.leaderboards import BoardPage
from bigben_chat.platform import Answer, Kind, Sorry
from bigben_chat.records import player_record


class Pressed(NamedTuple):
    """A control that was used."""

    bot: Chat
    answer: Answer
    details: list[str]
    """Of its id."""
    value: str
    """What was chosen, of a menu."""


class Verb(NamedTuple):
    """What a control does, and how it is answered."""

    kind: Kind
    details: int
    """How many its id has."""
    do: Callable[[Pressed], Awaitable[None]]


# On a player's own board


async def _move(pressed: Pressed) -> None:
    """Play the card of the button, if it is still there and the move is legal."""
    n, race, card, move = pressed.details
    await _play(pressed, race, move, n=int(n), card=card)


async def _deal(pressed: Pressed) -> None:
    n, race = pressed.details
    await _play(pressed, race, "deal", n=int(n))


async def _undo(pressed: Pressed) -> None:
    n, race = pressed.details
    await _play(pressed, race, "undo", n=int(n))


async def _give_up(pressed: Pressed) -> None:
    await _play(pressed, pressed.details[-1], "resign", n=None)


async def _play(pressed: Pressed, race: str, move: str, *, n: int | None, card: str = "") -> None:
    bot, answer = pressed.bot, pressed.answer
    async with bot.players.connected(answer.user, race) as player:
        await bot.boards.play(answer, player, race, move, n=n, card=card)


async def _from(pressed: Pressed) -> None:
    n, race = pressed.details
    bot, answer = pressed.bot, pressed.answer
    async with bot.players.connected(answer.user, race) as player:
        await bot.boards.pick(answer, player, race, int(n), pressed.value)


async def _to(pressed: Pressed) -> None:
    n, race, card = pressed.details
    await _play(pressed, race, pressed.value, n=int(n), card=card)


async def _look(pressed: Pressed) -> None:
    look = pressed.details[0]
    store, user = pressed.bot.store, pressed.answer.user.id
    before = player_record(store, user)
    store.put("player", user, msgspec.structs.replace(before, text=look == "text"))
    await _board(pressed)


async def _board(pressed: Pressed) -> None:
    bot, answer = pressed.bot, pressed.answer
    async with bot.players.connected(answer.user, pressed.details[-1]) as player:
        await bot.boards.show(answer, player, pressed.details[-1])


async def _resign(pressed: Pressed) -> None:
    (race,) = pressed.details
    bot, answer = pressed.bot, pressed.answer
    async with bot.players.connected(answer.user, race) as player:
        await bot.boards.ask_if_sure(answer, player, race)


# On public messages, and on answers to one user


def _of_race(
    do: Callable[[Chat, Answer, str], Awaitable[None]],
) -> Callable[[Pressed], Awaitable[None]]:
    """For actions that need nothing but the race, or the season."""

    async def done(pressed: Pressed) -> None:
        (race,) = pressed.details
        await do(pressed.bot, pressed.answer, race)

    return done


def _alone(do: Callable[[Chat, Answer], Awaitable[None]]) -> Callable[[Pressed], Awaitable[None]]:
    """For actions that need nothing at all."""
    return lambda pressed: do(pressed.bot, pressed.answer)


async def _page(pressed: Pressed) -> None:
    await leaderboards.leaderboard(pressed.bot, pressed.answer, BoardPage.read(pressed.details))


async def _go(pressed: Pressed) -> None:
    race, left_out = pressed.details
    await rooms.go(pressed.bot, pressed.answer, race, left_out)


async def _house(pressed: Pressed) -> None:
    (race,) = pressed.details
    await rooms.house(pressed.bot, pressed.answer, race, pressed.value)


async def _practice(pressed: Pressed) -> None:
    game, rules = pressed.details
    await practice.practise(pressed.bot, pressed.answer, game=game, rules=rules)


async def _lesson(pressed: Pressed) -> None:
    race, number = pressed.details
    await learning.step(pressed.bot, pressed.answer, race, int(number))


async def _help(pressed: Pressed) -> None:
    (game,) = pressed.details
    say, games = pressed.answer.say, pressed.bot.games
    if game not in games:
        raise Sorry(say("wrong.old_button"))
    await pressed.answer.show(game_help(games[game], say))


async def _commands(pressed: Pressed) -> None:
    (game,) = pressed.details
    await pressed.answer.show(commands_help(game, pressed.answer.say))


async def _accept(pressed: Pressed) -> None:
    challenge, to, by = pressed.details
    await challenging.accept(pressed.bot, pressed.answer, challenge, to, by)


async def _decline(pressed: Pressed) -> None:
    challenge, to, _ = pressed.details
    await challenging.decline(pressed.bot, pressed.answer, challenge, to)


async def _forget(pressed: Pressed) -> None:
    (sure,) = pressed.details
    await forgetting.forget(pressed.bot, pressed.answer, sure=sure == "yes")


VERBS: Final[Mapping[str, Verb]] = {
    "move": Verb("change", 4, _move),
    "deal": Verb("change", 2, _deal),
    "from": Verb("change", 2, _from),
    "to": Verb("change", 3, _to),
    "undo": Verb("change", 2, _undo),
    "look": Verb("change", 2, _look),
    "refresh": Verb("change", 1, _board),
    "resign": Verb("change", 1, _resign),
    "giveup": Verb("change", 2, _give_up),
    "begin": Verb("change", 1, _of_race(races.begin)),
    "join": Verb("change", 1, _of_race(rooms.join)),
    "ready": Verb("change", 1, _of_race(rooms.ready)),
    "start": Verb("private", 1, _of_race(rooms.start)),
    "go": Verb("change", 2, _go),
    "stay": Verb("change", 1, _of_race(rooms.stay)),
    "leave": Verb("change", 1, _of_race(rooms.leave)),
    "house": Verb("change", 1, _house),
    "page": Verb("change", 6, _page),
    "play": Verb("private", 1, _of_race(races.daily)),
    "board": Verb("private", 1, _board),
    "standings": Verb("private", 1, _of_race(leaderboards.standings)),
    "verify": Verb("private", 1, _of_race(verification.verify)),
    "share": Verb("public", 1, _of_race(sharing.post)),
    "rematch": Verb("public", 1, _of_race(rooms.rematch)),
    "here": Verb("private", 1, _of_race(linking.play_here)),
    "accept": Verb("change", 3, _accept),
    "decline": Verb("change", 3, _decline),
    "open": Verb("public", 0, _alone(rooms.open_usual)),
    "practice": Verb("private", 2, _practice),
    "hint": Verb("private", 1, _of_race(practice.hint)),
    "learn": Verb("private", 0, _alone(learning.begin)),
    "lesson": Verb("change", 2, _lesson),
    "help": Verb("private", 1, _help),
    "game": Verb("change", 1, _help),
    "commands": Verb("change", 1, _commands),
    "season": Verb("private", 1, _of_race(seasons.show)),
    "wish": Verb("private", 1, _of_race(seasons.wish)),
    "delete-season": Verb("change", 1, _of_race(seasons.delete)),
    "forget": Verb("change", 1, _forget),
}
"""Actions by the first word of a control's id. Old messages have these words: never remove one.

A platform may have more of its own.
"""
