"""Millions of pairs in one file beside the tables of a project, read by the same SQL."""
