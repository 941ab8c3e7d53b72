"""The error that the command shows to its user."""


class UserError(Exception):
    """Something is missing or was asked for wrongly; the text says what, and what to do about it."""
