"""Documents prepared for searching, in memory or on disk: what is derived is derived once."""

from locisimiles.index.documents import PreparedDocument, TextPart
from locisimiles.index.manifest import is_index
from locisimiles.index.stored import Index, check_index

__all__ = ["Index", "PreparedDocument", "TextPart", "check_index", "is_index"]
