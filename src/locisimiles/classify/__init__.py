"""Classifiers: the probabilities of no match, a verbatim reference and an allusion."""

from locisimiles.classify.base import Classifier, Pairs
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.labels import Label
from locisimiles.classify.rule import reference_type, reference_types
from locisimiles.classify.selection import Expectation, Selection, expect_references
from locisimiles.classify.thresholds import Thresholds

__all__ = [
    "Classifier",
    "CrossEncoderClassifier",
    "Ensemble",
    "Expectation",
    "Label",
    "Pairs",
    "Selection",
    "Thresholds",
    "expect_references",
    "reference_type",
    "reference_types",
]
