"""One connection to a server after another, and the pauses between them."""
