"""What only Discord can do: roles, and pressing what is under a message."""
