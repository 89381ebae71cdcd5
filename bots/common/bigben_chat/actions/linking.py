"""The page for a player, with the same seat: by a link, or in a frame of the platform's."""

from bigben_chat.chat import Chat
from bigben_chat.messages.content import Content
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import put_instance
from bigben_chat.tree import Time


async def link(bot: Chat, answer: Answer) -> None:
    """Answer with a link that works once."""
    async with bot.players.connected(answer.user) as player:
        once = await player.client.link()
    key, at = "link_browser" if bot.browser_page else "link", Time(once.expires_at)
    await answer.show(Content(answer.say(key, page=bot.page, token=once.token, at=at)))


async def play_here(bot: Chat, answer: Answer, race: str) -> None:
    """Open the page in a frame, in this race. It takes no seat: there the player may."""
    if not bot.platform.opens_frames:
        raise Sorry(answer.say("wrong.no_frame"))
    put_instance(bot.store, await answer.open_frame(), race, answer.asked_at)
