"""Worlds in other processes, also of other Python environments and other machines."""

from lapis.worlds.remote.config import RemoteConfig

__all__ = ["RemoteConfig"]
