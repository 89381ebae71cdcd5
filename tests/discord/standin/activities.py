"""The frames in which users have opened the application: at most one in each channel."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.discord.standin.people import Channel, User
from tests.discord.standin.problems import Json

EMBEDDED: Final = 1 << 17
"""The flag of an application whose operator has enabled Activities."""


@dataclass
class Instance:
    """A frame: those in it see each other."""

    id: str
    launch: str
    channel: Channel
    users: list[User] = field(default_factory=list)

    def payload(self, application: str) -> Json:
        """As the application is told of it."""
        guild = self.channel.guild
        place = {"guild_id": guild.id} if guild else {}
        kind = "gc" if guild else "pc"
        location = {"id": f"{kind}-{self.channel.id}", "kind": kind, **place}
        return {
            "application_id": application,
            "instance_id": self.id,
            "launch_id": self.launch,
            "location": {**location, "channel_id": self.channel.id},
            "users": [user.id for user in self.users],
        }


class Activities:
    """All frames, and whether there can be any."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self.enabled = False
        self.instances: dict[str, Instance] = {}
        """By their ids."""
        self._new_id = new_id

    @property
    def flags(self) -> int:
        """Of the application."""
        return EMBEDDED if self.enabled else 0

    def launch(self, channel: Channel, user: User) -> Instance:
        """The user is in the frame of this channel: a new one if nobody else is in one there."""
        found = [one for one in self.instances.values() if one.channel == channel]
        instance = found[0] if found else self._new(channel)
        if user not in instance.users:
            instance.users.append(user)
        return instance

    def close(self, instance: Instance) -> None:
        """The last user has left it."""
        del self.instances[instance.id]

    def _new(self, channel: Channel) -> Instance:
        launch = self._new_id()
        place = f"gc-{channel.guild.id}-{channel.id}" if channel.guild else f"pc-{channel.id}"
        instance = Instance(f"i-{launch}-{place}", launch, channel)
        self.instances[instance.id] = instance
        return instance
