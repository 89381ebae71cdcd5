"""What is measured: loads that every peer carries, and what only the race server does."""
