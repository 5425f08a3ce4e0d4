"""How probable it is that a pair is no match, a verbatim reference, or an allusion."""

from locisimiles.classify.base import Classifier
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.cuts import Cut, Expectation, expect_references
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.labels import Label
from locisimiles.classify.rule import reference_type, reference_types
from locisimiles.classify.thresholds import Thresholds

__all__ = [
    "Classifier",
    "CrossEncoderClassifier",
    "Cut",
    "Ensemble",
    "Expectation",
    "Label",
    "Thresholds",
    "expect_references",
    "reference_type",
    "reference_types",
]
