"""Measurements of speed and of quality, each with the command that repeats it."""
