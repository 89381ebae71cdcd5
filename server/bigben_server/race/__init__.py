"""What a race is and what a message does to it: pure, without asyncio, storage or a clock."""
