"""House players: programs with seats, who see what any client sees."""
