"""What is best in a position as its player sees it, and why, in a few sentences."""
