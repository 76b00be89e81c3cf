"""Trains agents on many goals at once by sampling those on which they are learning now."""

__version__ = "0.1.0"
