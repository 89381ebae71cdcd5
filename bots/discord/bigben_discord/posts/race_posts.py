"""The public messages of races: one for each race in a channel, kept up to date in good time.

They are edited through the channel's own route, which has no end; only where the bot is a guest,
by the token of the last interaction, which lasts for fifteen minutes. A button is answered by an
edit too. One message has one edit at a time: of two that are under way, nobody knows which one
Discord will see last.
"""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import Final
from weakref import WeakValueDictionary

import aiohttp
import discord
import msgspec

from bigben_chat.connections.race_feed import Follower
from bigben_chat.store import Memory, Post
from bigben_chat.texts import say_in
from bigben_discord import public
from bigben_discord.controls import Content
from bigben_discord.interactions.answers import Answer
from bigben_discord.interactions.editable_message import Interaction, Sent
from bigben_discord.posts.edit_rate import Pace
from bigben_discord.posts.race_post import PublicMessage, language_of
from bigben_protocol import PlayerId, Room

_log = logging.getLogger(__name__)

MOST_TRIES: Final = 20
"""After the end of a race, where its message takes no edit: a thread may be archived."""


class Posts:
    """All public messages."""

    def __init__(
        self, bot: discord.Client, kept: Memory, follower: Follower, *, tick: float
    ) -> None:
        """``tick``: seconds between two edits in a channel."""
        self._bot = bot
        self._memory = kept
        self._follower = follower
        self._pace = Pace(tick)
        self._held: dict[tuple[int, str], PublicMessage] = {}
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def load(self) -> None:
        """Take up the messages that there were before the bot was started."""
        for _, post in self._memory.all("post", Post):
            self._held[post.channel, post.race] = PublicMessage(post)
            self._follower.follow(post.race)

    async def close(self) -> None:
        """Edit nothing any more."""
        await self._pace.close()

    def find(self, channel: int, race: str) -> Post | None:
        """The message of this race in this channel."""
        held = self._held.get((channel, race))
        return held.post if held else None

    def content(self, post: Post, room: Room) -> Content:
        """The message as it is to be now."""
        final = self._follower.standings(room.race)
        return public.message(post, room, final, say_in(post.language))

    async def answer(self, answer: Answer, room: Room) -> bool:
        """Make the answer to a command the message of this race; False if it has one here."""
        channel = _channel_of(answer.interaction)
        self._follower.note(room)
        async with self._alone(channel, room.race):
            if (channel, room.race) in self._held:
                self.changed(room.race)
                return False
            spoken = language_of(answer.interaction, self._memory)
            post = Post(room.race, channel, 0, spoken, invite=room.invite)
            sent = await answer.show(self.content(post, room))
            if not sent.private:
                self._keep(msgspec.structs.replace(post, message=sent.id), room, sent)
        if sent.private:
            # So Discord has decided, in a guild where members' own applications may not speak.
            await answer.tell(answer.say("wrong.only_you"))
        return True

    async def refresh(self, answer: Answer, room: Room) -> None:
        """Answer a button of the message with the message as it is now."""
        self._follower.note(room)
        channel = _channel_of(answer.interaction)
        try:
            async with self._alone(channel, room.race):
                held = self._adopt(answer.interaction, room)
                await self._answer_with(answer, held, self._follower.room(room.race) or room)
        finally:
            # What this one could not show, or has not known yet, is shown by an edit.
            self.changed(room.race)

    async def _answer_with(self, answer: Answer, held: PublicMessage, room: Room) -> None:
        content = self.content(held.post, room)
        pressed = answer.interaction.message
        if pressed is None or pressed.id != held.post.message:
            await answer.show(content)  # An older message, whose place this one has taken.
        elif content == held.shown:
            held.sent = await answer.leave_as_it_is()  # Another answer has shown it meanwhile.
        else:
            await held.change_by_answer(answer, content)

    async def enter(self, answer: Answer, room: Room, player: PlayerId) -> None:
        """A player races from this channel: show them in its message, a new one if need be."""
        channel = _channel_of(answer.interaction)
        async with self._alone(channel, room.race):
            held = self._held.get((channel, room.race))
            if held is None or held.lost or (held.guest and held.sent is None):
                language = language_of(answer.interaction, self._memory)
                others = held.post.players if held else ()
                post = Post(room.race, channel, 0, language, (*others, player))
                sent = await answer.follow_up(self.content(post, room), private=False)
                if not sent.private:
                    post = msgspec.structs.replace(post, message=sent.id)
                    self._keep(post, room, sent)
                return
        if player not in (players := held.post.players):
            held.post = msgspec.structs.replace(held.post, players=(*players, player))
            self._memory.put("post", held.post.message, held.post)
        self.changed(room.race)

    async def is_there(self, channel: int, room: Room) -> bool:
        """False where a room's message was deleted, and could not be posted again just now."""
        held = self._held.get((channel, room.race))
        if held is None or room.kind != "live":
            return True
        if room.phase == "open" and not held.lost:
            async with self._alone(channel, room.race):
                held.shown = None  # It may have been deleted without notice.
                await self._bring_up_to_date(held)
        now = self._held.get((channel, room.race))
        return now is None or not now.lost

    async def bring_back(self, answer: Answer, room: Room) -> None:
        """Post the deleted message of a room again, because a player asks for it."""
        channel = _channel_of(answer.interaction)
        async with self._alone(channel, room.race):
            held = self._held.get((channel, room.race))
            if held is not None and held.lost:
                sent = await answer.follow_up(self.content(held.post, room), private=False)
                if not sent.private:
                    self._keep(msgspec.structs.replace(held.post, message=sent.id), room, sent)

    async def write(
        self, channel: int, room: Room, head: str, language: str, *, nonce: str
    ) -> None:
        """A new message by the bot's own permission, in place of one that is there.

        Raises discord.HTTPException. Sent again with the same ``nonce`` within some minutes,
        Discord makes no second message of it.
        """
        post = Post(room.race, channel, 0, language, head=head)
        target = self._bot.get_partial_messageable(channel)
        async with self._alone(channel, room.race):
            before = self._held.get((channel, room.race))
            if before is not None:
                post = msgspec.structs.replace(post, players=before.post.players)
            content = self.content(post, room)
            message = await target.send(content.text, view=content.view, nonce=nonce)
            self._keep(msgspec.structs.replace(post, message=message.id), room, None)
        if before is not None and before.post.message != message.id:
            with suppress(discord.HTTPException):  # Where it can't go, it stays as it was.
                await target.get_partial_message(before.post.message).delete()

    def note(self, room: Room, players: Collection[PlayerId] | None = None) -> None:
        """A player's connection knows this of a race; its messages may know less.

        ``players``: whom it is news of, if not of all.
        """
        self._follower.note(room)
        self.changed(room.race, players)

    def changed(self, race: str, players: Collection[PlayerId] | None = None) -> None:
        """The race has news, of these players or of all: bring its messages up to date."""
        # A daily has news all day long, and in most channels it is of players who are elsewhere.
        theirs = set(players) if players is not None and race.startswith("daily.") else None
        for held in list(self._held.values()):
            if held.post.race != race or (theirs and theirs.isdisjoint(held.post.players)):
                continue
            try:
                self._ask(held)
            except Exception:
                # Ours, and of this race; it is no reason to end what others play.
                _log.exception("the message of race %s can't be made", race)

    def gone(self, race: str) -> None:
        """The server does not know this race: its messages stay as they are."""
        for held in list(self._held.values()):
            if held.post.race == race:
                self._drop(held)

    def _keep(self, post: Post, room: Room, sent: Sent | None) -> None:
        before = self._held.get((post.channel, post.race))
        if before is not None:
            self._memory.drop("post", before.post.message)
        self._held[post.channel, post.race] = PublicMessage(post, sent=sent)
        self._memory.put("post", post.message, post)
        self._follower.note(room)
        self._follower.follow(post.race)
        self.changed(post.race)

    def _alone(self, channel: int, race: str) -> asyncio.Lock:
        """Held while the race's message in this channel is made or edited, by whatever way."""
        return self._locks.setdefault((channel, race), asyncio.Lock())

    def _adopt(self, interaction: Interaction, room: Room) -> PublicMessage:
        """The post whose button was pressed; one that the bot has forgotten is taken up again."""
        channel = _channel_of(interaction)
        held = self._held.get((channel, room.race))
        assert interaction.message is not None, "a control stands under a message"
        if held is None:
            language = language_of(interaction, self._memory)
            self._keep(Post(room.race, channel, interaction.message.id, language), room, None)
            held = self._held[channel, room.race]
        return held

    # Editing

    def _ask(self, held: PublicMessage) -> None:
        if not self._due(held):
            return
        self._pace.ask(held, lambda: self._edit(held))

    def _due(self, held: PublicMessage) -> bool:
        """Whether there is anything to be done about the message."""
        room = self._follower.room(held.post.race)
        if room is None or self._held.get((held.post.channel, held.post.race)) is not held:
            return False
        return self._over(room) or self.content(held.post, room) != held.shown

    def _over(self, room: Room) -> bool:
        """Nothing will change any more."""
        told = self._follower.standings(room.race) is not None
        return room.phase == "cancelled" or (room.phase == "closed" and told)

    async def _edit(self, held: PublicMessage) -> None:
        await self._pace.passed()
        async with self._alone(held.post.channel, held.post.race):
            await self._bring_up_to_date(held)

    async def _bring_up_to_date(self, held: PublicMessage) -> None:
        post, room = held.post, self._follower.room(held.post.race)
        if room is None or not self._due(held):
            return
        content, over = self.content(post, room), self._over(room)
        if content != held.shown and not held.lost:
            try:
                if await held.change(self._bot, content):
                    held.tries = 0
            except discord.NotFound:
                _log.info("The message of race %s in channel %s is gone.", post.race, post.channel)
                await self._deleted(held, room, content)
                return
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                held.tries += 1
                if not over or held.tries < MOST_TRIES:
                    _log.warning("The message of race %s waits: %s", post.race, error)
                    self._pace.ask(held, lambda: self._edit(held))
                    return
        if over:
            self._drop(held)

    async def _deleted(self, held: PublicMessage, room: Room, content: Content) -> None:
        """A room can't go on without its message; that of a daily comes with its next player."""
        if room.kind != "live" or self._over(room):
            self._drop(held)
            return
        held.lost = True
        try:
            again = None if held.again else await held.posted_again(self._bot, content)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.warning("The message of race %s can't be posted again: %s", room.race, error)
            return
        if again is not None:
            self._keep(again.post, room, again.sent)
            self._held[again.post.channel, room.race].again = True

    def _drop(self, held: PublicMessage) -> None:
        """Nothing more will change in this message."""
        post = held.post
        if self._held.get((post.channel, post.race)) is not held:
            return  # Another one has taken its place.
        del self._held[post.channel, post.race]
        self._memory.drop("post", post.message)
        if not any(other.post.race == post.race for other in self._held.values()):
            self._follower.forget(post.race)


def _channel_of(interaction: Interaction) -> int:
    assert interaction.channel_id is not None, "commands and buttons are used in channels"
    return interaction.channel_id
