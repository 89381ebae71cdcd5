"""Clients in one thread that cost little: plain sockets, ``epoll``, and frames made by hand."""
