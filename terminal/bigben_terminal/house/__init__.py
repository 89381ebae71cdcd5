"""House players: what they can reach, what they choose, and their seats."""
