"""A player's board as a PNG."""
