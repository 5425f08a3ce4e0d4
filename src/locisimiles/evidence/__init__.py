"""Why a pair was found: the words that answer each other."""

from locisimiles.evidence.alignment import Aligner, Alignment, WordPair, align
from locisimiles.evidence.meanings import Meanings, VectorMeanings

__all__ = ["Aligner", "Alignment", "Meanings", "VectorMeanings", "WordPair", "align"]
