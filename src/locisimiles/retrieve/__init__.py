"""Retrievers: each ranks the source segments for every query segment."""

from locisimiles.retrieve.base import Index, Retriever
from locisimiles.retrieve.bm25 import BM25
from locisimiles.retrieve.candidates import Candidates
from locisimiles.retrieve.methods import METHODS, Method, make_retriever
from locisimiles.retrieve.tfidf import TfIdf

__all__ = [
    "BM25",
    "METHODS",
    "Candidates",
    "Index",
    "Method",
    "Retriever",
    "TfIdf",
    "make_retriever",
]
