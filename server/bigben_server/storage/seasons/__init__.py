"""Seasons of clubs: their logs, and the lists on which servers and players find them."""
