"""Everything that is stored. Only this folder sends commands to Redis."""
