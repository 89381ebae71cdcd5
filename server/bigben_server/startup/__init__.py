"""What a server is started with, and what its log says of that."""
