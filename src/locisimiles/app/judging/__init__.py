"""Verdicts of readers, their agreement, and rankings learnt from them."""
