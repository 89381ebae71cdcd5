"""The commands, all under ``/bigben``: what can be typed."""

from bigben_discord.commands import cheer, help, play, races, results, season, settings
from bigben_discord.commands.group import GROUP

__all__ = ["GROUP", "cheer", "help", "play", "races", "results", "season", "settings"]
