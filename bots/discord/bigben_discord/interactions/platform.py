"""What the bot does on Discord by its own permission."""

from functools import partial

import discord

from bigben_chat.connections.identity import ChatUser
from bigben_chat.messages.content import Content
from bigben_chat.records import PendingBoard, PlaceRecord
from bigben_chat.store import ChatId
from bigben_chat.tree import Text
from bigben_discord.interactions.components import files_of, view_of
from bigben_discord.interactions.editable_message import EditableMessage, with_files_if_allowed
from bigben_discord.interactions.errors import translated
from bigben_discord.interactions.markdown import markdown


class DiscordPlatform:
    """Messages in channels and to users, and what the bot knows of guilds."""

    has_roles = edits_pictures = True

    def __init__(self, bot: discord.Client, *, logs_in: bool) -> None:
        """``logs_in``: whether the bot can tell the page who opens it."""
        self._bot = bot
        self._logs_in = logs_in

    @property
    def connected(self) -> bool:
        """Whether the gateway is open and has told the bot what there is."""
        return self._bot.is_ready() and self._bot.ws.open

    @property
    def opens_frames(self) -> bool:
        """Whether the operator has enabled Activities, and the page knows its players there."""
        application = self._bot.application
        return self._logs_in and application is not None and application.flags.embedded

    async def send(
        self, place: ChatId, content: Content, *, nonce: str = "", rings: ChatId = 0
    ) -> ChatId:
        """A new message in a channel. Raises PlatformError."""
        channel = self._bot.get_partial_messageable(int(place))
        roles = [discord.Object(rings)] if rings else False

        async def put(content: Content) -> discord.Message:
            return await channel.send(
                markdown(content.text),
                view=view_of(content),
                files=files_of(content),
                nonce=nonce or None,  # type: ignore[arg-type]  # its default
                allowed_mentions=discord.AllowedMentions(roles=roles),
            )

        with translated():
            sent = await with_files_if_allowed(content, put)
        return sent.id

    async def edit(self, place: ChatId, message: ChatId, content: Content) -> None:
        """Edit a message through its channel's own route. Raises PlatformError."""
        there = self._bot.get_partial_messageable(int(place)).get_partial_message(int(message))

        async def put(content: Content) -> None:
            await there.edit(
                content=markdown(content.text),
                view=view_of(content),
                attachments=files_of(content) or discord.utils.MISSING,
            )

        with translated():
            await with_files_if_allowed(content, put)

    async def delete(self, place: ChatId, message: ChatId) -> None:
        """Delete a message. Raises PlatformError."""
        there = self._bot.get_partial_messageable(int(place)).get_partial_message(int(message))
        with translated():
            await there.delete()

    async def tell(self, user: ChatId, content: Content, *, nonce: str = "") -> None:
        """Send a direct message. Raises PlatformError."""
        with translated():
            direct = await self._bot.create_dm(discord.Object(user))
            await self.send(direct.id, content, nonce=nonce)

    async def user(self, place: ChatId, typed: str) -> ChatUser | None:
        """Nobody: users are options of commands, and not typed."""
        return None

    def written(self, text: Text) -> str:
        """The text in Markdown."""
        return markdown(text)

    def reopened(self, board: PendingBoard) -> EditableMessage:
        """The message by its token, which outlives a run of the bot."""
        assert self._bot.application_id is not None, "login sets it"
        webhook = discord.Webhook.partial(self._bot.application_id, board.token, client=self._bot)
        message = int(board.message)
        sent_at = discord.utils.snowflake_time(message)  # Nothing has changed since.
        edit = partial(webhook.edit_message, message)
        return EditableMessage(
            webhook, board.interaction, message, private=True, shown_at=sent_at, put=edit
        )

    def group_name(self, group: ChatId) -> str:
        """What the guild is called; its id where the bot is no member."""
        found = self._bot.get_guild(int(group))
        return found.name if found else str(group)

    def group_locale(self, group: ChatId) -> str:
        """The guild's own language."""
        found = self._bot.get_guild(int(group))
        return str(found.preferred_locale) if found else ""

    def manager_of(self, group: ChatId, record: PlaceRecord) -> ChatId:
        """The user who chose the channel, or the guild's owner."""
        found = self._bot.get_guild(int(group))
        return record.by or (found.owner_id if found else None) or 0
