"""What a command says to a user who gave it something that it cannot use. Prints nothing."""


class Complaint(Exception):
    """Ends the command with exit code 2. Its text is a sentence without the command's name."""
