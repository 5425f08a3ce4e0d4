"""Rules about shared words: how many, how close together, in one clause, and how rare."""

from locisimiles.retrieve.ngram_rules.rules import NgramRules

__all__ = ["NgramRules"]
