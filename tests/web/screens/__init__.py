"""Every screen of the page by name, with the walk that leads to it. No tests."""
