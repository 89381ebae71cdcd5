"""What every button and menu does. All of it follows from the control's id and who pressed it.

So those of old messages and from before a restart work like new ones, or are answered with the
reason why not. discord.py's ``DynamicItem`` would do the same, were it not silent about a control
that was pressed just when its message lost it, as happens to who taps fast.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from bigben_chat import store
from bigben_discord.actions import leaderboards, races, verification
from bigben_discord.actions.races import visitor
from bigben_discord.controls import read_id
from bigben_discord.interactions.answers import Answer, Kind, answering
from bigben_discord.interactions.editable_message import Interaction
from bigben_protocol import View


class Pressed(NamedTuple):
    """A control that was used."""

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
    """Play the card that stood on the button, if it still lies there and may go there."""
    n, race, card, text = pressed.details
    source = text.split()[0]

    def refuse(view: View) -> str:
        same_card = view.piles[source].up[-1:] == (card,)
        fits = view.n == int(n) or (same_card and text in view.legal)
        return "" if fits else pressed.answer.say("board.older")

    await _play(pressed, race, text, refuse)


async def _only_now(pressed: Pressed, text: str) -> None:
    """Play what means something else after every move: nobody turns two cards by a double tap."""
    n, race = pressed.details
    older = pressed.answer.say("board.older")
    await _play(pressed, race, text, lambda view: "" if view.n == int(n) else older)


async def _deal(pressed: Pressed) -> None:
    await _only_now(pressed, "deal")


async def _undo(pressed: Pressed) -> None:
    await _only_now(pressed, "undo")


async def _give_up(pressed: Pressed) -> None:
    race = pressed.details[-1]
    await _play(pressed, race, "resign", lambda view: "")


async def _play(pressed: Pressed, race: str, text: str, refuse: Callable[[View], str]) -> None:
    bot = pressed.answer.interaction.client
    async with bot.players.at(visitor(pressed.answer.interaction)) as player:
        await bot.boards.play(pressed.answer, player, race, text, refuse)


async def _from(pressed: Pressed) -> None:
    n, race = pressed.details
    bot = pressed.answer.interaction.client
    async with bot.players.at(visitor(pressed.answer.interaction)) as player:
        await bot.boards.pick(pressed.answer, player, race, int(n), pressed.value)


async def _to(pressed: Pressed) -> None:
    n, race, card = pressed.details
    await _move(Pressed(pressed.answer, [n, race, card, pressed.value], pressed.value))


async def _look(pressed: Pressed) -> None:
    look = pressed.details[0]
    interaction = pressed.answer.interaction
    kept = interaction.client.memory
    before = kept.get("player", interaction.user.id, store.Player) or store.Player()
    changed = msgspec.structs.replace(before, text=look == "text")
    kept.put("player", interaction.user.id, changed)
    await _board(pressed)


async def _board(pressed: Pressed) -> None:
    race = pressed.details[-1]
    bot = pressed.answer.interaction.client
    async with bot.players.at(visitor(pressed.answer.interaction)) as player:
        await bot.boards.show(pressed.answer, player, race)


async def _resign(pressed: Pressed) -> None:
    (race,) = pressed.details
    bot = pressed.answer.interaction.client
    async with bot.players.at(visitor(pressed.answer.interaction)) as player:
        await bot.boards.ask_if_sure(pressed.answer, player, race)


# On public messages, and on what the bot said to one user


def _of_race(do: Callable[[Answer, str], Awaitable[None]]) -> Callable[[Pressed], Awaitable[None]]:
    """For those that need nothing but the race."""

    async def done(pressed: Pressed) -> None:
        (race,) = pressed.details
        await do(pressed.answer, race)

    return done


async def _page(pressed: Pressed) -> None:
    await leaderboards.leaderboard(pressed.answer, leaderboards.Wanted.read(pressed.details))


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
    "join": Verb("change", 1, _of_race(races.join)),
    "ready": Verb("change", 1, _of_race(races.ready)),
    "start": Verb("change", 1, _of_race(races.start)),
    "leave": Verb("change", 1, _of_race(races.leave)),
    "page": Verb("change", 6, _page),
    "play": Verb("private", 1, _of_race(races.daily)),
    "board": Verb("private", 1, _board),
    "standings": Verb("private", 1, _of_race(leaderboards.standings)),
    "verify": Verb("private", 1, _of_race(verification.verify)),
    "rematch": Verb("public", 1, _of_race(races.rematch)),
}
"""By the first word of a control's id. Old messages hold these words: keep what was once here."""


async def press(interaction: Interaction) -> None:
    """Do what the control does, and answer."""
    data: Any = interaction.data  # Any: as Discord sent it
    word, details = read_id(data["custom_id"])
    value = next(iter(data.get("values", ())), "")
    verb = VERBS.get(word)
    if verb is None or len(details) != verb.details:
        async with answering(interaction) as answer:
            await answer.tell(answer.say("wrong.old_button"))
        return
    async with answering(interaction, verb.kind) as answer:
        await verb.do(Pressed(answer, details, value))
