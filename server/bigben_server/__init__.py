"""The race server: it deals, checks moves, keeps the time, and stores everything."""
