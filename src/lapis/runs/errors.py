"""Errors of runs; the message tells users what to do."""

__all__ = ["DiskFullError", "RunError"]


class RunError(Exception):
    """A problem with a run that its user can fix; the message says how."""


class DiskFullError(RunError):
    """The disk (or the user's quota) has no room for what a run has to write."""
