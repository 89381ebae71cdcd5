"""`/bigben hint`: the best move in practice, for its player alone, and none in a race."""

import re

import pytest
from tests.discord.playing import sees_cards
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord

from bigben_discord.bot import BigBen


@pytest.mark.parametrize(
    ("locale", "label", "said"),
    [("en-US", "Hint", "Play|Build|Turn|Refill"), ("de", "Tipp", "Spiel|Leg|Deck|Füll")],
)
async def test_practice_has_a_button_and_a_command_for_the_best_move(
    world: Discord, bot: BigBen, channel: Channel, locale: str, label: str, said: str
) -> None:
    ada = world.person("Ada", locale=locale)
    board = await (await ada.types(channel, "bigben practice")).shown()
    pressed = await (await ada.presses(board, label)).shown()
    typed = await (await ada.types(channel, "bigben hint")).shown()
    assert re.fullmatch(rf"💡 \*\*[\w ]+\*\* · ({said}) .+", pressed.content)
    assert typed.content == pressed.content
    assert pressed.only_for == typed.only_for == ada.user
    assert world.public(channel) == []


async def test_a_race_has_no_button_and_the_command_says_why(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    bob = world.person("Bob")
    board = await sees_cards(bob, channel)
    assert "Hint" not in [button.label for button in board.buttons]
    told = await (await bob.types(channel, "bigben hint")).shown()
    assert "A race has no hints until it is over" in told.content


async def test_a_game_without_choices_has_no_button_and_the_command_says_why(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada = world.person("Ada")
    board = await (await ada.types(channel, "bigben practice", {"game": "Clock"})).shown()
    assert "Hint" not in [button.label for button in board.buttons]
    told = await (await ada.types(channel, "bigben hint")).shown()
    assert "There is nothing to decide in this game, so it has no hints." in told.content
