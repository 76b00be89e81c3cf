"""Errors of runs whose message is all that a user needs to go on."""

__all__ = ["DiskFullError", "RunError"]


class RunError(Exception):
    """Something about a run that its user can mend; the message says what and how."""


class DiskFullError(RunError):
    """The disk (or the user's quota) has no room for what a run has to write."""
