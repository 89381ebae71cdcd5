"""Connections to the race server: one for each active player, and those of the race feed."""
