"""The public message of one race in one place: what it shows, and how it can be edited.

The caller must not edit it twice at the same time.
"""

from contextlib import suppress
from dataclasses import dataclass
from zlib import crc32

import msgspec

from bigben_chat.messages.content import Content
from bigben_chat.platform import Answer, Ended, NotAllowed, Platform, PlatformError, Sent
from bigben_chat.records import Post
from bigben_chat.store import ChatId


def in_few(place: ChatId) -> str:
    """A place in few letters."""
    return f"{place:x}" if isinstance(place, int) else f"{crc32(place.encode()):x}"


@dataclass
class RacePost:
    """A post, and its state while the bot runs."""

    post: Post
    shown: Content | None = None
    """What the platform has accepted last; None while that is not known."""
    editable: Sent | None = None
    """The message as an answer that can be edited; None if it is none, or no longer."""
    guest: bool = False
    """The bot may not see the place, so the message can only be edited as an answer."""
    picture_at: float = 0
    """When it may have its next picture, by the event loop's clock."""
    tries: int = 0
    """Edits that the platform has refused since the last one that it accepted."""
    again: bool = False
    """It replaces a deleted message. If it is deleted too, it is not posted again."""
    lost: bool = False
    """It was deleted, and the bot could not post it again by itself."""

    @property
    def refused(self) -> bool:
        """Whether an edit is likely to be refused."""
        return bool(self.tries) or (self.guest and self.editable is None)

    async def edit_by_answer(self, answer: Answer, content: Content) -> None:
        """Edit it as the answer to one of its buttons."""
        self.shown = None
        self.editable = await answer.show(content)
        self.shown = content

    async def edit(self, platform: Platform, content: Content) -> bool:
        """Edit the message so; False if nothing allows it. Raises PlatformError."""
        self.shown = None
        if not await self._edited(platform, content):
            return False
        self.shown = content.plain or content
        return True

    async def posted_again(self, platform: Platform, content: Content) -> "RacePost | None":
        """Post it again by any way that works; None if there is none. Raises PlatformError."""
        editable = None
        # Done again after the bot was killed, it is no second message.
        nonce = f"{self.post.race}-{in_few(self.post.message)}"
        try:
            message = await platform.send(self.post.channel, content, nonce=nonce)
        except NotAllowed:
            if self.editable is None:
                return None
            editable = await self.editable.follow_up(content)
            message = editable.id
        return RacePost(msgspec.structs.replace(self.post, message=message), editable=editable)

    async def post_result(self, platform: Platform, content: Content) -> None:
        """Post the end of the race as a new message: nobody notices the edit of an old one."""
        # At most 25 letters; sent again with the same one, it is no second message.
        nonce = f"{self.post.race}-{in_few(self.post.channel)}"
        with suppress(PlatformError):  # It was edited.
            await platform.send(self.post.channel, content, nonce=nonce)

    async def _edited(self, platform: Platform, content: Content) -> bool:
        if not (self.guest and self.editable):
            try:
                await platform.edit(self.post.channel, self.post.message, content)
            except NotAllowed:
                self.guest = True
            else:
                self.guest = False
                return True
        return await self._edited_as_answer(content)

    async def _edited_as_answer(self, content: Content) -> bool:
        if self.editable is None:
            return False
        try:
            await self.editable.edit(content)
        except Ended:
            self.editable = None
            return False
        return True
