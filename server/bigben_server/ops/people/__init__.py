"""What the commands about players do."""
