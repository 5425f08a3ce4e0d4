"""Results of a search: stored as columns, iterated as references."""

from locisimiles.results.judgements import (
    ACCEPTED,
    PairJudgement,
    Probabilities,
    ReaderJudgement,
    Verdict,
)
from locisimiles.results.reference import Reference
from locisimiles.results.results import Results

__all__ = [
    "ACCEPTED",
    "PairJudgement",
    "Probabilities",
    "ReaderJudgement",
    "Reference",
    "Results",
    "Verdict",
]
