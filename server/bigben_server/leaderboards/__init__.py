"""Results are recorded, closed races settled, and boards and profiles read."""
