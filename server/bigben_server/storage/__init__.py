"""Everything that is kept: the only folder that knows Redis and its commands."""
