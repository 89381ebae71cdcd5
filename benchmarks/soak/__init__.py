"""An hour of play in some minutes, after which a server must be as small as before."""
