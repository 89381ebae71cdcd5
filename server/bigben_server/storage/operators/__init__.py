"""What only operators read and write, and what they have ordered."""
