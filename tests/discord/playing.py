"""People playing on Discord: what a test makes them do more than once. Asserts little.

Every server deals other cards, so nothing here counts on any: who needs a card plays until it is
there.
"""

import re
from collections.abc import Callable

from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person


async def sees_cards(person: Person, channel: Channel, rules: str = "standard") -> Message:
    """Start today's race: the player's board."""
    intro = await (await person.types(channel, "bigben daily", {"rules": rules})).shown()
    return await (await person.presses(intro, "Show me the cards")).shown()


async def room_of(first: Person, second: Person, channel: Channel) -> Message:
    """The public message of a room with two seats."""
    lobby = await (await first.types(channel, "bigben race")).shown()
    await (await second.presses(lobby, "Join")).shown()
    return lobby


async def starts_alone(host: Person, lobby: Message) -> Message:
    """Start a room in which nobody else is ready: the message that becomes the host's board."""
    asked = await (await host.presses(lobby, "Start")).shown()
    return await (await host.presses(asked, "race alone")).shown()


async def taps_on(person: Person, board: Message, moves: int) -> Message:
    """Play by tapping what the board offers: home first, then the stock. The board afterwards."""
    for _ in range(moves):
        offered = [button for button in board.buttons if "home" in button.label]
        offered += [b for b in board.buttons if "Refill" in b.label or "Turn" in b.label]
        if not offered:
            break
        board = await (await person.taps(board, offered[0])).shown()
    return board


async def gives_up(person: Person, board: Message) -> Message:
    """Resign, and mean it."""
    asked = await (await person.presses(board, "Give up")).shown()
    return await (await person.presses(asked, "Yes")).shown()


async def plays_until(look: Callable[[Message], object], person: Person, board: Message) -> Message:
    """Play until the board has what is looked for; every deal has it sooner or later."""
    while not look(board):
        before = board.content
        board = await taps_on(person, board, 1)
        assert board.content != before, "the game is over before that was seen"
    return board


def home(board: Message) -> int:
    """Cards home, as a board says it."""
    found = re.search(r"(\d+)/104 home", board.content)
    assert found, board.content
    return int(found[1])


def plays_home(board: Message) -> list[str]:
    """The labels of its buttons that play a card home."""
    return [button.label for button in board.buttons if "home" in button.label]
