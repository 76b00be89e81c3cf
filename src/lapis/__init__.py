"""Lapis: train agents on many goals at once by sampling the goals on which they are learning now."""

__version__ = "0.1.0"
