"""The analysis: where a closed race was won and lost, with the progress before."""

import asyncio
from datetime import timedelta
from typing import Final

from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.messages import analysis
from bigben_chat.platform import Answer, Sorry
from bigben_protocol import Analysis

EDIT_S: Final = 5.0
"""Between two edits of the progress."""
MARGIN: Final = timedelta(minutes=1.5)
"""The answer must come so long before it can't be edited any more."""


async def analyse(bot: Chat, answer: Answer, race: str) -> None:
    """Answer with the analysis; until it is there, with how much of it is computed."""
    async with bot.players.connected(answer.user) as player:
        room = await player.room(race)
        if room.phase != "closed":
            raise Sorry(answer.say("analysis.open"))
        total = player.game(room.race).total
        async with answer.unhurried():  # the pool takes its time
            told = await _told(answer, player, room.race)
    await answer.show(analysis.analysis(told, total, answer.say))


async def _told(answer: Answer, player: Player, race: str) -> Analysis:
    """The analysis. Raises Sorry if it takes longer than an answer can be edited."""
    until = answer.editable_until
    patience = (until - answer.asked_at - MARGIN).total_seconds() if until else None
    asking = asyncio.ensure_future(player.client.analysis(race))
    shown = -1
    try:
        async with asyncio.timeout(patience):
            while True:
                await asyncio.wait([asking], timeout=EDIT_S)
                if asking.done():
                    return asking.result()
                now = player.client.analysing.get(race)
                if now and now.done != shown:
                    shown = now.done
                    await answer.show(analysis.progress(race, now.done, now.of, answer.say))
    except TimeoutError:
        raise Sorry(answer.say("analysis.later")) from None
    finally:
        asking.cancel()
