"""Why a pair was found: the words that answer each other."""

from locisimiles.evidence.shared_words import SharedWords, shared_words

__all__ = ["SharedWords", "shared_words"]
