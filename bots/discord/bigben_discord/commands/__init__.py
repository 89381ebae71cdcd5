"""The commands, all under ``/bigben``: what can be typed."""

from bigben_discord.commands import season_post, settings
from bigben_discord.commands.table import GROUP

__all__ = ["GROUP", "season_post", "settings"]
