"""The public messages of races: one for each race in a place, kept up to date.

They are edited by the bot's own permission, which never ends. Only where the bot is a guest they
are edited as answers, which a platform may allow for a while. Buttons are answered by an edit too.
A message has one edit at a time: of two that are under way, nobody knows which one the platform
will see last.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import msgspec

from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.drawing_queue import DrawingQueue
from bigben_chat.messages.content import Attachment, Content
from bigben_chat.messages.formatting import season_of
from bigben_chat.messages.public_message import (
    described,
    public_message,
    race_picture,
    race_rows,
)
from bigben_chat.picture.results import MOST
from bigben_chat.platform import Answer, EditRate, Gone, Platform, PlatformError, Sent
from bigben_chat.posts.known_posts import KnownPosts
from bigben_chat.posts.race_post import RacePost, in_few
from bigben_chat.records import GroupRecord, Post
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say, say_in
from bigben_chat.tree import Role, Text, Written, lines
from bigben_client import ClientError
from bigben_protocol import PlayerId, Room, Standing
from bigben_protocol.share import Hours, hours_of

_log = logging.getLogger(__name__)

HOURS_S: Final = 5.0
"""How long to wait for what the picture of a result shows of each player."""
PICTURE_S: Final = 30.0
"""Between two pictures of a race that runs; its text is newer."""
MOST_TRIES: Final = 20
"""After the end of a race, where its message takes no edit: a thread may be archived."""


def public_language(answer: Answer, store: Store) -> str:
    """Of messages that all see: the group's choice, or the language that the platform says."""
    group = store.get("guild", answer.user.group, GroupRecord)
    return say_in((group and group.language) or answer.group_locale).language


class RacePosts:
    """The public messages of all races."""

    def __init__(
        self,
        platform: Platform,
        rate: EditRate,
        store: Store,
        feed: RaceFeed,
        drawing: DrawingQueue,
        *,
        page: str,
    ) -> None:
        """``page``: of browsers, or empty."""
        self._drawing = drawing
        self._page = page
        self._platform = platform
        self._store = store
        self._feed = feed
        self._rate = rate
        self._posts = KnownPosts(store, feed)

    def load(self) -> None:
        """Load the messages that were there before the bot was started."""
        self._posts.load()

    async def close(self) -> None:
        """Edit nothing from now on."""
        await self._rate.close()

    def find(self, place: ChatId, race: str) -> Post | None:
        """The message of this race in this place."""
        message = self._posts.get(place, race)
        return message.post if message else None

    def open_room(self, place: ChatId) -> str:
        """The room that was opened here last and waits for players; empty if there is none."""
        rooms = (self._feed.room(message.post.race) for message in self._posts.in_place(place))
        waiting = [room for room in rooms if room and room.kind == "live" and room.phase == "open"]
        return waiting[-1].race if waiting else ""

    def content(self, post: Post, room: Room) -> Content:
        """The content that the message should have now."""
        game, final = self._feed.games[room.rules.game], self._feed.standings(room.race)
        say = say_in(post.language)
        head = (Written(post.head),) if post.head else ()
        return public_message(
            game, room, final, say, here=post.players, head=head, invite=post.invite,
            remind=post.remind, page=self._page, house=self._feed.house,
            frames=self._platform.opens_frames,
        )  # fmt: skip

    def copy(self, room: Room, say: Say) -> Content:
        """The same for one user alone, wherever the race was opened."""
        self._feed.note(room)
        return self.content(Post(room.race, 0, 0, say.language, invite=room.invite), room)

    async def answer(self, answer: Answer, room: Room) -> bool:
        """Make the answer to a command the message of this race; False if it has one here."""
        place = answer.place
        self._feed.note(room)
        async with self._posts.alone(place, room.race):
            if self._posts.get(place, room.race) is not None:
                self.changed(room.race)
                return False
            language = public_language(answer, self._store)
            post = Post(room.race, place, 0, language, invite=room.invite)
            sent = await answer.show(self.content(post, room))
            if not sent.private:
                self._put(msgspec.structs.replace(post, message=sent.id), room, sent)
        if sent.private:
            # The platform decides so where members' own applications may not post.
            await answer.tell(answer.say("wrong.only_you"))
        return True

    async def refresh(self, answer: Answer, room: Room) -> None:
        """Answer a button of the message with its newest content."""
        self._feed.note(room)
        place = answer.place
        try:
            async with self._posts.alone(place, room.race):
                message = self._adopt(answer, room)
                await self._answer_with(answer, message, self._feed.room(room.race) or room)
        finally:
            # An edit shows what this answer could not show or did not know yet.
            self.changed(room.race)

    async def _answer_with(self, answer: Answer, message: RacePost, room: Room) -> None:
        content = self.content(message.post, room)
        if answer.pressed != message.post.message:
            await answer.show(content)  # An older message, which a newer one has replaced.
        elif content == message.shown or not answer.edits_posts:
            # Another answer has shown it, or the next edit will.
            message.editable = await answer.leave_as_it_is()
        else:
            await message.edit_by_answer(answer, content)

    async def show_player(self, answer: Answer, room: Room, player: PlayerId) -> None:
        """Show a player who joined from this place in its message; post one if there is none."""
        place = answer.place
        async with self._posts.alone(place, room.race):
            message = self._posts.get(place, room.race)
            if message is None or message.lost or (message.guest and message.editable is None):
                language = public_language(answer, self._store)
                others = message.post.players if message else ()
                post = Post(room.race, place, 0, language, (*others, player))
                sent = await answer.follow_up(self.content(post, room), private=False)
                if not sent.private:
                    post = msgspec.structs.replace(post, message=sent.id)
                    self._put(post, room, sent)
                return
        if player not in (players := message.post.players):
            self._posts.change(
                message, msgspec.structs.replace(message.post, players=(*players, player))
            )
        self.changed(room.race)

    async def is_there(self, place: ChatId, room: Room) -> bool:
        """False where a room's message was deleted and could not be posted again just now."""
        message = self._posts.get(place, room.race)
        if message is None or room.kind != "live":
            return True
        if room.phase == "open" and not message.lost:
            async with self._posts.alone(place, room.race):
                message.shown = None  # It may have been deleted without notice.
                await self._bring_up_to_date(message)
        now = self._posts.get(place, room.race)
        return now is None or not now.lost

    async def bring_back(self, answer: Answer, room: Room) -> None:
        """Post the deleted message of a room again, because a player asks for it."""
        place = answer.place
        async with self._posts.alone(place, room.race):
            message = self._posts.get(place, room.race)
            if message is not None and message.lost:
                sent = await answer.follow_up(self.content(message.post, room), private=False)
                if not sent.private:
                    self._put(msgspec.structs.replace(message.post, message=sent.id), room, sent)

    async def write(
        self,
        place: ChatId,
        room: Room,
        head: Text,
        language: str,
        *,
        nonce: str,
        role: ChatId = 0,
    ) -> None:
        """A new message by the bot's own permission, in place of one that is there.

        It mentions the ``role`` and has the button for it. Raises PlatformError. Sent again
        with the same ``nonce`` within some minutes, it is no second message.
        """
        above = self._platform.written(lines(Role(role), head) if role else head)
        post = Post(room.race, place, 0, language, head=above, remind=bool(role))
        async with self._posts.alone(place, room.race):
            before = self._posts.get(place, room.race)
            if before is not None:
                post = msgspec.structs.replace(post, players=before.post.players)
            content = self.content(post, room)
            sent = await self._platform.send(place, content, nonce=nonce, rings=role)
            self._put(msgspec.structs.replace(post, message=sent), room, None)
        if before is not None and before.post.message != sent:
            with suppress(PlatformError):  # Where it can't go, it stays as it was.
                await self._platform.delete(place, before.post.message)

    def note(self, room: Room, players: Collection[PlayerId] | None = None) -> None:
        """Take in a room that a player's connection has received, and update its messages.

        ``players`` are those whose seats have changed; None for all.
        """
        self._feed.note(room)
        self.changed(room.race, players)

    def changed(self, race: str, players: Collection[PlayerId] | None = None) -> None:
        """The race has changed, for these players or for all: update its messages."""
        # A daily changes all day long, and for most places by players who are elsewhere.
        theirs = set(players) if players is not None and race.startswith("daily.") else None
        for message in self._posts.of(race):
            if theirs and theirs.isdisjoint(message.post.players):
                continue
            try:
                self._ask(message)
            except Exception:
                # A bug that affects only this race; continue with the others.
                _log.exception("the message of race %s can't be made", race)

    def forget(self, player: PlayerId) -> None:
        """The messages of dailies no longer show that the player joined from their places."""
        for race in self._posts.forget(player):
            self.changed(race)

    async def deleted(self, place: ChatId, message: ChatId) -> None:
        """The platform says that a message was deleted; other platforms refuse its next edit."""
        for one in self._posts.in_place(place):
            room = self._feed.room(one.post.race)
            if one.post.message != message or room is None:
                continue
            async with self._posts.alone(place, room.race):
                if self._posts.hold(one):
                    await self._deleted(one, room, self.content(one.post, room))

    async def moved(self, place: ChatId, into: ChatId) -> None:
        """Post again, in the place that has replaced this one; what is there is kept up to date."""
        for message in self._posts.in_place(place):
            race, room = message.post.race, self._feed.room(message.post.race)
            async with self._posts.alone(place, race), self._posts.alone(into, race):
                if room is None or self._over(room) or self._posts.get(into, race):
                    continue
                post = msgspec.structs.replace(message.post, channel=into)
                with suppress(PlatformError):  # The players can ask for it again.
                    nonce = f"{race}-{in_few(into)}-moved"
                    sent = await self._platform.send(into, self.content(post, room), nonce=nonce)
                    self._put(msgspec.structs.replace(post, message=sent), room, None)
        self.left(place)

    def left(self, place: ChatId) -> None:
        """The bot is no longer in this place: its messages there stay as they are."""
        for message in self._posts.in_place(place):
            self._posts.drop(message)

    def gone(self, race: str) -> None:
        """The server does not know this race. Its messages stay as they are."""
        for message in self._posts.of(race):
            self._posts.drop(message)

    def _put(self, post: Post, room: Room, editable: Sent | None) -> RacePost:
        message = self._posts.put(post, editable)
        self._feed.note(room)
        self.changed(post.race)
        return message

    def _adopt(self, answer: Answer, room: Room) -> RacePost:
        """The message whose button was pressed; one that the bot has forgotten is stored again."""
        message = self._posts.get(answer.place, room.race)
        assert answer.pressed is not None, "a button belongs to a message"
        if message is None:
            language = public_language(answer, self._store)
            message = self._put(Post(room.race, answer.place, answer.pressed, language), room, None)
        return message

    # Editing

    def _ask(self, message: RacePost) -> None:
        if self._due(message):
            self._ask_for_edit(message)

    def _ask_for_edit(self, message: RacePost) -> None:
        self._rate.ask(message.post, lambda: self._edit(message), refused=message.refused)

    def _due(self, message: RacePost) -> bool:
        """Whether the message needs an edit, or can be dropped."""
        post, room = message.post, self._feed.room(message.post.race)
        if room is None or not self._posts.hold(message):
            return False
        return self._over(room) or self.content(post, room) != message.shown

    def _over(self, room: Room) -> bool:
        """Nothing will change any more."""
        final = self._feed.standings(room.race) is not None
        return room.phase == "cancelled" or (room.phase == "closed" and final)

    async def _edit(self, message: RacePost) -> None:
        post, room = message.post, self._feed.room(message.post.race)
        # A daily has no host: of its messages, the player who joined first in the place.
        of = (room and room.host) or next(iter(post.players), post.channel)
        await self._rate.passed(of)
        async with self._posts.alone(post.channel, post.race):
            await self._bring_up_to_date(message)

    async def _bring_up_to_date(self, message: RacePost) -> None:
        post, room = message.post, self._feed.room(message.post.race)
        if room is None or not self._due(message):
            return
        content, over = self.content(post, room), self._over(room)
        if content != message.shown and not message.lost:
            content = await self._with_picture(message, content, room)
            try:
                if await message.edit(self._platform, content):
                    message.tries = 0
            except Gone:
                _log.info("The message of race %s in place %s is gone.", post.race, post.channel)
                await self._deleted(message, room, content)
                return
            except PlatformError as error:
                message.tries += 1
                if not over or message.tries < MOST_TRIES:
                    _log.warning("The message of race %s waits: %s", post.race, error)
                    self._ask_for_edit(message)
                    return
        if over:
            self._posts.drop(message)
            # The result of a week is one of the season's news.
            if room.kind == "deadline" and room.phase == "closed" and not season_of(room.race):
                await message.post_result(self._platform, content)

    async def _with_picture(self, message: RacePost, content: Content, room: Room) -> Content:
        """The race with a picture of its players, from time to time and at its end."""
        final = self._feed.standings(room.race)
        rows = race_rows(room, final)
        now = asyncio.get_running_loop().time()
        often = self._platform.edits_pictures and not message.guest
        if len(rows) < 2 or (final is None and (not often or now < message.picture_at)):
            return content
        message.picture_at = now + PICTURE_S
        say = say_in(message.post.language)
        return await self.with_picture(content, room, rows, say, is_final=final is not None)

    async def with_picture(
        self, content: Content, room: Room, rows: Sequence[Standing], say: Say, *, is_final: bool
    ) -> Content:
        """A message with a picture of the race's players, from the first on."""
        game, hours = self._feed.games[room.rules.game], dict[PlayerId, Hours]()
        if is_final:
            with suppress(ClientError, TimeoutError):  # Their wheels show the cards home alone.
                async with asyncio.timeout(HOURS_S):
                    client = await self._feed.client()
                    for row in rows[:MOST]:
                        record = await client.record(room.race, row.player)
                        hours[row.player] = hours_of(record, game)
        picture = race_picture(game, room, rows, say, hours)
        data = await self._drawing.drawn(picture.png)
        attached = Attachment("race.png", data, described(picture))
        return replace(content, attachment=attached, plain=content)

    async def _deleted(self, message: RacePost, room: Room, content: Content) -> None:
        """Post a room's message again; that of a daily is posted again for its next player."""
        if room.kind != "live" or self._over(room):
            self._posts.drop(message)
            return
        message.lost = True
        try:
            again = None if message.again else await message.posted_again(self._platform, content)
        except PlatformError as error:
            _log.warning("The message of race %s can't be posted again: %s", room.race, error)
            return
        if again is not None:
            self._put(again.post, room, again.editable).again = True
