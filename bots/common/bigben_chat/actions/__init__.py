"""What commands and buttons do."""
