"""The commands, all under ``/bigben``: what can be typed. What they do is in other modules."""

from bigben_discord.commands import guild, more, play, races, results
from bigben_discord.commands.group import GROUP

__all__ = ["GROUP", "guild", "more", "play", "races", "results"]
