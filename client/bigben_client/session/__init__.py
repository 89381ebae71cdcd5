"""What a client follows and has asked, whatever connection it has. No socket."""
