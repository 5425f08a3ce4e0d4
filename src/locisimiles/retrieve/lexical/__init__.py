"""Lexical retrieval: BM25 and TF-IDF over an inverted index of terms."""

from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.retrieve.lexical.tfidf import TfIdf

__all__ = ["BM25", "TfIdf"]
