"""A link with which a player continues in a browser or a terminal, with the same seat."""

from bigben_chat.chat import Chat
from bigben_chat.messages.content import Content
from bigben_chat.platform import Answer
from bigben_chat.tree import Time


async def link(bot: Chat, answer: Answer) -> None:
    """Answer with a link that works once."""
    async with bot.players.connected(answer.user) as player:
        once = await player.client.link()
    key, at = "link_browser" if bot.browser_page else "link", Time(once.expires_at)
    await answer.show(Content(answer.say(key, page=bot.page, token=once.token, at=at)))
