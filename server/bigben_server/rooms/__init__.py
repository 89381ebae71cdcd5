"""Races in memory: requests are decided, committed in batches and broadcast, with asyncio."""
