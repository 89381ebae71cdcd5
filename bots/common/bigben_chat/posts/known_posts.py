"""The public messages that the bot knows: one for each race in a place, also after a restart."""

import asyncio
from collections.abc import Sequence
from weakref import WeakValueDictionary

import msgspec

from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.platform import Sent
from bigben_chat.posts.race_post import RacePost
from bigben_chat.records import Post
from bigben_chat.store import ChatId, Store
from bigben_protocol import PlayerId


class KnownPosts:
    """The messages, in memory and in the store; their races are followed."""

    def __init__(self, store: Store, feed: RaceFeed) -> None:
        self._store = store
        self._feed = feed
        self._posts: dict[tuple[ChatId, str], RacePost] = {}
        self._locks: WeakValueDictionary[tuple[ChatId, str], asyncio.Lock] = WeakValueDictionary()

    def load(self) -> None:
        """Load the messages that were there before the bot was started."""
        for _, post in self._store.all("post", Post):
            self._posts[post.channel, post.race] = RacePost(post)
            self._feed.follow(post.race)

    def get(self, place: ChatId, race: str) -> RacePost | None:
        """The message of this race in this place."""
        return self._posts.get((place, race))

    def of(self, race: str) -> Sequence[RacePost]:
        """All messages of this race."""
        return [message for message in self._posts.values() if message.post.race == race]

    def in_place(self, place: ChatId) -> Sequence[RacePost]:
        """All messages in this place."""
        return [message for message in self._posts.values() if message.post.channel == place]

    def hold(self, message: RacePost) -> bool:
        """Whether this is still the message of its race in its place."""
        return self._posts.get((message.post.channel, message.post.race)) is message

    def put(self, post: Post, editable: Sent | None = None) -> RacePost:
        """Know this message from now on, in place of another one."""
        before = self._posts.get((post.channel, post.race))
        if before is not None:
            self._store.drop("post", before.post.message)
        message = self._posts[post.channel, post.race] = RacePost(post, editable=editable)
        self._store.put("post", post.message, post)
        self._feed.follow(post.race)
        return message

    def change(self, message: RacePost, post: Post) -> None:
        """Store other facts about the same message."""
        message.post = post
        self._store.put("post", post.message, post)

    def alone(self, place: ChatId, race: str) -> asyncio.Lock:
        """Held while the race's message in this place is posted or edited in any way."""
        return self._locks.setdefault((place, race), asyncio.Lock())

    def forget(self, player: PlayerId) -> Sequence[str]:
        """Drop that the player joined from some places. Return the races that it was in."""
        named = [one for one in self._posts.values() if player in one.post.players]
        for message in named:
            others = tuple(one for one in message.post.players if one != player)
            self.change(message, msgspec.structs.replace(message.post, players=others))
        return [message.post.race for message in named]

    def drop(self, message: RacePost) -> None:
        """Forget the message: nothing will change in it any more."""
        if not self.hold(message):
            return  # Another one has taken its place.
        post = message.post
        del self._posts[post.channel, post.race]
        self._store.drop("post", post.message)
        if not self.of(post.race):
            self._feed.unfollow(post.race)
