"""Who a player is: tokens, names and groups."""
