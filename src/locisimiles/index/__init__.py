"""Documents prepared for searching: what is derived from them is derived once."""

from locisimiles.index.documents import PreparedDocument, TextPart

__all__ = ["PreparedDocument", "TextPart"]
