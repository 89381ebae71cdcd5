"""The messages between server and clients, and their codecs. No socket, no rules."""
