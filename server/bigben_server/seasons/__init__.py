"""A club's season: when its weeks are, what organisers change, and its table."""
