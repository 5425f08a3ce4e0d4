"""Fixtures for tests of the command line."""

from support.commands import program

__all__ = ["program"]
