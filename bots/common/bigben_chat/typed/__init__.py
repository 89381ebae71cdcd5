"""What can be typed on a platform of plain text: one table of commands over the actions."""
