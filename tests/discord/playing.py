"""People playing on Discord: what a test makes them do more than once. Asserts little."""

from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person


async def sees_cards(person: Person, channel: Channel) -> Message:
    """Start today's race: the player's board."""
    intro = await (await person.types(channel, "bigben daily")).shown()
    return await (await person.presses(intro, "Show me the cards")).shown()


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
