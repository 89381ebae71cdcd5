"""What a client keeps of its races, and the check at their close."""
