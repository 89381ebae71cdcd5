"""Which messages are being edited, from the arrival of a request to the end of its answer."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.discord.standin.messages import Message


class Editing:
    """Notices two edits of one message at a time: nobody knows which of them will be the last."""

    def __init__(self) -> None:
        self.overlaps: list[str] = []
        """What the messages said that were edited while another edit of them was under way."""
        self._under_way: set[str] = set()

    @contextmanager
    def of(self, message: Message | None) -> Iterator[None]:
        """An edit of this message is under way; None is no edit."""
        if message is None:
            yield
            return
        if message.id in self._under_way:
            self.overlaps.append(message.content)
            yield
            return
        self._under_way.add(message.id)
        try:
            yield
        finally:
            self._under_way.discard(message.id)
