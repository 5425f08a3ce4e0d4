"""Retrievers: each ranks the source segments for every query segment."""

from locisimiles.candidates import Candidates
from locisimiles.late.search import Late
from locisimiles.retrieve.base import Index, Retriever
from locisimiles.retrieve.combined.search import Combined
from locisimiles.retrieve.fusion import Fusion
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.retrieve.lexical.tfidf import TfIdf
from locisimiles.retrieve.methods import (
    METHODS,
    Method,
    MethodOptions,
    change_settings,
    make_retriever,
)
from locisimiles.retrieve.ngram_rules import NgramRules

__all__ = [
    "BM25",
    "METHODS",
    "Candidates",
    "Combined",
    "Fusion",
    "Index",
    "Late",
    "Method",
    "MethodOptions",
    "NgramRules",
    "Retriever",
    "TfIdf",
    "change_settings",
    "make_retriever",
]
