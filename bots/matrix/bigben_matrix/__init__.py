"""The Matrix bot: one more client of the race server."""
