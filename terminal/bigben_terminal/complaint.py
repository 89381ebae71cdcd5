"""The exception for input that a command cannot use."""


class Complaint(Exception):
    """Ends the command with exit code 2. Its text is a sentence, without the command's name."""
