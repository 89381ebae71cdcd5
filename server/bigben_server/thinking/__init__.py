"""What the server computes for players, in processes of its own: no move ever waits for it."""
