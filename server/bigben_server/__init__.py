"""The race server: it deals, checks, keeps the clock and remembers. It draws nothing."""
