"""Games without a server: how many deals can be won, and how well programs play."""
