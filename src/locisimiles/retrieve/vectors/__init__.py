"""Retrieval by vectors: of words, of words in context, of whole segments."""
