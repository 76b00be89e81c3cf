"""Run folders: what a run writes, and how reports read it. Standard library and NumPy only."""

from lapis.runs.errors import DiskFullError, RunError
from lapis.runs.folder import RunFolder
from lapis.runs.metrics import MetricsLog

__all__ = ["DiskFullError", "MetricsLog", "RunError", "RunFolder"]
