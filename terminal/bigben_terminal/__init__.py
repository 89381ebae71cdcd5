"""The `bigben` command and the game in a terminal. It never imports the server."""
