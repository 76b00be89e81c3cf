"""Curricula to compare with, under the same protocol: two vectors of counts per update.

Each is a `Teacher` in its own file, with its formulas as functions. `docs/rivals` has a page for
each of them.
"""
