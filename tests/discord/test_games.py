"""Every game on Discord: chosen by its name, played to its end by buttons and menus alone."""

import pytest
from tests.chat.positions import GAME_NAMES
from tests.discord.playing import gives_up
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.torture import each_kind, often
from tests.terminal.support import INFO

from bigben_chat.messages import content
from bigben_chat.texts import say_in
from bigben_discord.bot import BigBen

MOST = often(30, 130)
"""Taps; a game that goes on is given up."""


async def opened(person: Person, channel: Channel, game: str) -> Message:
    intro = await (await person.types(channel, "bigben daily", {"game": game})).shown()
    return await (await person.presses(intro, "Show me the cards")).shown()


async def taps_anything(person: Person, board: Message) -> Message:
    """What may go home, else a command, else the first move of the menu."""
    verbs = [content.read_id(button.custom_id)[0] for button in board.buttons]
    for verb in ("move", "deal"):
        if verb in verbs:
            return await (await person.taps(board, board.buttons[verbs.index(verb)])).shown()
    board = await (await person.chooses(board, board.selects[0].values[-1])).shown()
    if len(board.selects) == 2:
        last = board.selects[1].values[-1]
        board = await (await person.chooses(board, last, menu=1)).shown()
    return board


def over(board: Message) -> bool:
    return any(content.read_id(button.custom_id)[0] == "verify" for button in board.buttons)


@pytest.mark.longer
@pytest.mark.parametrize("game", each_kind(name for name in GAME_NAMES if name != "bigben"))
async def test_a_whole_game_is_played_by_components(world: Discord, bot: BigBen, game: str) -> None:
    channel = world.channel("general", world.guild("Friends"))
    ann, say = world.person("Ann"), say_in("en")
    board = await opened(ann, channel, game)
    name = say.game_text(f"game.{game}")
    assert name in board.content
    assert board.picture.description.startswith(f"{name}, ")
    luck = say.game_text(f"game.{game}.luck") if not INFO[game].decides else "same result"
    assert (luck in board.content) == (not INFO[game].decides)
    board = await (await ann.presses(board, "As text")).shown()
    for _ in range(MOST):
        if over(board):
            break
        board = await taps_anything(ann, board)
    if not over(board):
        board = await gives_up(ann, board)
    assert over(board)
    await world.changes.until(lambda: "Ann" in world.told(channel), "the public message")
    assert name in world.told(channel)
    if not INFO[game].decides:
        assert luck in world.told(channel)
    board = await (await ann.types(channel, "bigben leaderboard", {"game": game})).shown()
    assert name in board.content
    assert "**Ann**" in board.content


async def test_a_room_is_opened_in_any_game_and_rules(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    wanted = {"game": "German Clock", "rules": "One redeal"}
    room = await (await world.person("Bo").types(channel, "bigben race", wanted)).shown()
    assert "German Clock · One redeal · 60 min" in room.content


async def test_games_and_rules_are_completed_by_their_names(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    cy = world.person("Cy", locale="de")
    await bot.chat.feed.client()
    games = await cy.half_types(channel, "bigben race", {"game": "uhr"}, "game")
    assert {"grandfathersclock", "germanclock"} <= {value for _, value in games}
    assert "Großvaters Uhr" in [name for name, _ in games]
    given = {"game": "grandfathersclock", "rules": ""}
    rules = await cy.half_types(channel, "bigben race", given, "rules")
    assert [value for _, value in rules] == ["standard", "no"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "chess"}, "The games are: Big Ben, Grandfather’s Clock, Clock"),
        ({"game": "watch", "rules": "book"}, "Watch has no such rules. It has: Standard rules."),
    ],
)
async def test_an_unknown_name_is_answered_with_what_there_is(
    world: Discord, bot: BigBen, given: dict[str, str], said: str
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    for command in ("race", "daily", "leaderboard"):
        answer = await (await world.person("Di").types(channel, f"bigben {command}", given)).shown()
        assert said in answer.content


async def test_moves_of_other_games_are_typed(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    ed = world.person("Ed")
    await opened(ed, channel, "clock")
    board = await (await ed.types(channel, "bigben deal")).shown()
    assert "turned up" in board.content
    board = await (await ed.types(channel, "bigben move", {"from": "turn"})).shown()
    assert " under Pile " in board.content
    offered = await ed.half_types(channel, "bigben move", {"from": "t"}, "from")
    assert [value for _, value in offered] == ["turn"]


async def test_the_help_is_about_the_game_that_was_asked_for(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    fay = world.person("Fay")
    watch = await (await fay.types(channel, "bigben help", {"game": "Watch"})).shown()
    assert "`swap 7 2`" in watch.content
    usual = await (await fay.types(channel, "bigben help")).shown()
    assert "`w fdn`" in usual.content
