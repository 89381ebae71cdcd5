"""What the front end on any chat platform needs. Imports no platform's library."""
