"""What only operators read and write, and what they direct running servers to do."""
