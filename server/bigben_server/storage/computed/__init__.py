"""What the pool computes for players and the store keeps for a while."""
