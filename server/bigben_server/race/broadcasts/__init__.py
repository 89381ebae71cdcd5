"""What others learn of a race: followers of its seats, and peers of what was written."""
