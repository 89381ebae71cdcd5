"""What operators order a running process to do, and what it tells them of itself."""
