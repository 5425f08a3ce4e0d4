"""The protocols: arrays in, measurements out.

``retrieval``, ``classification``, ``retrieve-and-rerank``, ``author-pairs``, ``overlap``,
``calibration``: each module says what its protocol measures, and how it interprets what the paper
leaves open.
"""

from locisimiles.benchmark.protocols.author_pairs import (
    ALL_AUTHORS,
    AuthorFold,
    evaluate_author_pairs,
)
from locisimiles.benchmark.protocols.calibration import (
    ExpectedYield,
    Reliability,
    brier_score,
    evaluate_calibration,
    expected_yield,
    group_probability,
    reliability,
)
from locisimiles.benchmark.protocols.classification import (
    ThresholdSweep,
    collapsed_confusion,
    evaluate_classification,
    sweep_thresholds,
)
from locisimiles.benchmark.protocols.grid import PairGrid
from locisimiles.benchmark.protocols.judging import JudgedFold, judge_all
from locisimiles.benchmark.protocols.overlap import evaluate_overlap, shared_lemmas
from locisimiles.benchmark.protocols.rerank import DEPTHS, evaluate_rerank
from locisimiles.benchmark.protocols.retrieval import (
    RETRIEVAL_METRICS,
    evaluate_retrieval,
    unanswered,
)

__all__ = [
    "ALL_AUTHORS",
    "DEPTHS",
    "RETRIEVAL_METRICS",
    "AuthorFold",
    "ExpectedYield",
    "JudgedFold",
    "PairGrid",
    "Reliability",
    "ThresholdSweep",
    "brier_score",
    "collapsed_confusion",
    "evaluate_author_pairs",
    "evaluate_calibration",
    "evaluate_classification",
    "evaluate_overlap",
    "evaluate_rerank",
    "evaluate_retrieval",
    "expected_yield",
    "group_probability",
    "judge_all",
    "reliability",
    "shared_lemmas",
    "sweep_thresholds",
    "unanswered",
]
