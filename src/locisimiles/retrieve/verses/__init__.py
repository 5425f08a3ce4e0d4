"""What is known of the verses of a Bible beside their words: how often cited, and by what name."""

from locisimiles.retrieve.verses.clues import VerseClues
from locisimiles.retrieve.verses.weights import VerseWeights

__all__ = ["VerseClues", "VerseWeights"]
