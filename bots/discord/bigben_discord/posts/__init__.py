"""How often posts are edited on Discord, and how it greets a new guild."""
