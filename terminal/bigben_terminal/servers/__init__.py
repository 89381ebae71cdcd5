"""The server that a command talks to, and a server of its own."""
