"""Logs players in with Discord, for the page and the terminal: HTTP under ``/login``."""
