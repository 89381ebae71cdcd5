"""Small servers to compare the race server with."""
