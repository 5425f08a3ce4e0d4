"""Searches in processes of their own: requested, watched, resumed."""
