"""Why a pair may be a reference: aligned words, how rare they are, where else they occur."""

from locisimiles.evidence.alignment import Aligner, Alignment, WordPair, align
from locisimiles.evidence.context import Context, context_of
from locisimiles.evidence.explanation import Evidence
from locisimiles.evidence.facts import (
    Changes,
    Collocation,
    Cue,
    Elsewhere,
    Formula,
    Neighbours,
    Place,
    Rival,
    SharedLemma,
)
from locisimiles.evidence.finder import EvidenceFinder
from locisimiles.evidence.meanings import EncoderMeanings, Meanings, VectorMeanings

__all__ = [
    "Aligner",
    "Alignment",
    "Changes",
    "Collocation",
    "Context",
    "Cue",
    "Elsewhere",
    "EncoderMeanings",
    "Evidence",
    "EvidenceFinder",
    "Formula",
    "Meanings",
    "Neighbours",
    "Place",
    "Rival",
    "SharedLemma",
    "VectorMeanings",
    "WordPair",
    "align",
    "context_of",
]
