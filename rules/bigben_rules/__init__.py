"""The rules of the games. No I/O, no clock, no randomness of its own."""
