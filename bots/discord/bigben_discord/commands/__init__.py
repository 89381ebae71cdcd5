"""The commands, all under ``/bigben``: what can be typed."""

from bigben_discord.commands.table import GROUP

__all__ = ["GROUP"]
