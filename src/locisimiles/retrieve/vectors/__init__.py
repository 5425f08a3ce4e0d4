"""Retrieval by vectors: of words, of words in context, of whole segments."""

from locisimiles.retrieve.vectors.contextual import Contextual
from locisimiles.retrieve.vectors.dense import Dense
from locisimiles.retrieve.vectors.word_vectors import WordVectorSearch

__all__ = ["Contextual", "Dense", "WordVectorSearch"]
