"""The commands of all platforms, as one table over the actions, and how typed lines are read."""
