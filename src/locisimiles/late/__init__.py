"""Late interaction: compares pieces of words in context and sums the best matches."""

from locisimiles.late.index import LateIndex
from locisimiles.late.index_encoder import IndexEncoder
from locisimiles.late.search import Late

__all__ = ["IndexEncoder", "Late", "LateIndex"]
