"""What an operator does to the data: check, export, import, rename, delete, rebuild."""
