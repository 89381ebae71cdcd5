"""How players share a server: what things cost, whose turn it is, and what is made only once."""
