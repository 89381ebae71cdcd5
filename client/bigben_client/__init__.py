"""A reconnecting asyncio client of the race server. No screen, no rules."""
