"""The bot's parts on one Discord client, for commands and buttons to use."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import discord

from bigben_chat.chat import Chat, Pace
from bigben_chat.platform import Kind
from bigben_chat.store import Store
from bigben_discord.config import Settings
from bigben_discord.interactions.answer import Answer
from bigben_discord.interactions.answers import Answers
from bigben_discord.interactions.platform import DiscordPlatform
from bigben_discord.interactions.tracing import trace
from bigben_discord.posts.edit_rate import EditRate


class BotClient(discord.Client):
    """A Discord client with the parts of the bot. It hears no events: `bot.BigBen` does."""

    def __init__(self, settings: Settings, store: Store, pace: Pace, patience: float) -> None:
        """After ``patience`` seconds an interaction is deferred."""
        super().__init__(
            # Guilds: which channels there are, and what the bot may do there. Not privileged.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            http_trace=trace(),
        )
        self.settings = settings
        self.chat = Chat(
            settings,
            store,
            DiscordPlatform(self, logs_in=bool(settings.secret)),
            EditRate(pace.tick),
            pace,
        )
        self.answers = Answers(
            self.chat.announcements,
            patience=patience,
            server_patience=pace.server_patience,
        )


BotInteraction: TypeAlias = discord.Interaction[BotClient]


@asynccontextmanager
async def answering(
    interaction: BotInteraction, kind: Kind = "private"
) -> AsyncIterator[tuple[Chat, Answer]]:
    """What an action needs: the bot, and the answer to this interaction."""
    bot = interaction.client
    async with bot.answers.to(interaction, kind) as answer:
        yield bot.chat, answer
