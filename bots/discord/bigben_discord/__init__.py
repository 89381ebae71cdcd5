"""The Discord bot: one more client of the race server."""
