"""Search a query document in a source document, and judge the candidates."""

from locisimiles.pipeline.classification import ClassificationPipeline
from locisimiles.pipeline.description import current_versions
from locisimiles.pipeline.judging import (
    assumption,
    described_expectation,
    expected_references,
    kept_results,
)
from locisimiles.pipeline.search import AUTO, BLOCK, Pipeline, Searcher, prepare_query

__all__ = [
    "AUTO",
    "BLOCK",
    "ClassificationPipeline",
    "Pipeline",
    "Searcher",
    "assumption",
    "current_versions",
    "described_expectation",
    "expected_references",
    "kept_results",
    "prepare_query",
]
