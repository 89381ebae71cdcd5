"""What keeps the store small and fair: shares of house players, and what expires."""
