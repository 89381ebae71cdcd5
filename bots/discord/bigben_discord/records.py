"""What the bot stores of Discord's commands."""

import msgspec


class Commands(msgspec.Struct, frozen=True):
    """The commands that were last synced, under the kind "commands"."""

    digest: str
