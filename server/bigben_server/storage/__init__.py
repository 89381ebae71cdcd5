"""Everything that is stored; only this folder sends commands to Redis."""
