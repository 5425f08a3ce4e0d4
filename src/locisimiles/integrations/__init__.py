"""Doors to other libraries, each imported by its name: `spacy`, `sklearn`."""
