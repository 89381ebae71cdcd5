"""The Discord bot, one more client of the server. It knows no rules and keeps no state."""
