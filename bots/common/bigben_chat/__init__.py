"""What a front end on any chat platform needs, without any platform's library."""
