"""The default search: lexical retrieval, rules, word vectors and late interaction, combined."""

from locisimiles.retrieve.combined.search import Combined, CombinedIndex
from locisimiles.retrieve.combined.weights import CombinedWeights

__all__ = ["Combined", "CombinedIndex", "CombinedWeights"]
