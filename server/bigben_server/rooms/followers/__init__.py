"""What the followers of a room are told later, or gathered, so that no crowd of them is flooded."""
