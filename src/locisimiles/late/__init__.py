"""Late interaction: pieces of words are compared in context, and the best matches are summed."""

from locisimiles.late.index import LateIndex
from locisimiles.late.search import Late

__all__ = ["Late", "LateIndex"]
