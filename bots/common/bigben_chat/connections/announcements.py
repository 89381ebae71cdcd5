"""What the operator of the race server announces, told to each player once."""

import time
from collections.abc import Callable

from bigben_chat.store import ChatId
from bigben_protocol import Announcement


class Announcements:
    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """``clock``: seconds since 1970."""
        self._clock = clock
        self._announced = Announcement("")
        self._told: set[ChatId] = set()

    def receive(self, announcement: Announcement) -> None:
        """Take what the server says; each player's connection says it."""
        if announcement != self._announced:
            self._announced = announcement
            self._told.clear()

    def unread(self, user: ChatId) -> str:
        """The text that this user has not been told; empty without one. It counts as told now."""
        announced = self._announced
        if user in self._told or self._clock() * 1000 >= announced.until:
            return ""
        self._told.add(user)
        return announced.text
