"""Helpers for tests of several rooms, importable as `support`."""
