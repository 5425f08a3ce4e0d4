"""A pipeline of the paper's package: a generator, then a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.compat.results import results_to_csv, results_to_json
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.compat.document import Document
    from locisimiles.compat.pipeline.generator import CandidateGeneratorBase
    from locisimiles.compat.pipeline.judge import CandidateJudgeBase
    from locisimiles.compat.results import CandidateGeneratorOutput, CandidateJudgeOutput

__all__ = ["Pipeline"]


class Pipeline:
    """Finds candidates with a generator and judges them with a judge.

    Examples
    --------
    >>> from locisimiles.compat import (
    ...     BM25CandidateGenerator,
    ...     ThresholdJudge,
    ...     load_example_query,
    ...     load_example_source,
    ... )
    >>> pipeline = Pipeline(BM25CandidateGenerator(), ThresholdJudge(top_k=1))
    >>> found = pipeline.run(query=load_example_query(), source=load_example_source(), top_k=2)
    >>> [one.segment.id for one in found["hier. epist. 130.5.5.3"]]
    ['verg. aen. 2.774.1', 'verg. aen. 12.867.1']
    """

    def __init__(self, generator: CandidateGeneratorBase, judge: CandidateJudgeBase) -> None:
        self.generator, self.judge = generator, judge
        self._last_candidates: CandidateGeneratorOutput | None = None
        self._last_judgments: CandidateJudgeOutput | None = None

    @property
    def device(self) -> str:
        """The device of models in folders of yours."""
        return str(getattr(self.judge, "device", getattr(self.generator, "device", "cpu")))

    def generate_candidates(
        self, *, query: Document, source: Document, **kwargs: Any
    ) -> CandidateGeneratorOutput:
        """Run the generator."""
        self._last_candidates = self.generator.generate(query=query, source=source, **kwargs)
        return self._last_candidates

    def judge_candidates(
        self, *, query: Document, candidates: CandidateGeneratorOutput, **kwargs: Any
    ) -> CandidateJudgeOutput:
        """Run the judge."""
        self._last_judgments = self.judge.judge(query=query, candidates=candidates, **kwargs)
        return self._last_judgments

    def run(self, *, query: Document, source: Document, **kwargs: Any) -> CandidateJudgeOutput:
        """Run both; each takes what it knows of the further parameters, such as ``top_k``."""
        found = self.generate_candidates(query=query, source=source, **kwargs)
        return self.judge_candidates(query=query, candidates=found, **kwargs)

    def to_csv(self, path: str | Path, results: CandidateJudgeOutput | None = None) -> None:
        """Write results, by default those of the last run, as a table."""
        results_to_csv(self._saved(results), path)

    def to_json(
        self, path: str | Path, results: CandidateJudgeOutput | None = None, *, indent: int = 2
    ) -> None:
        """Write results, by default those of the last run, as JSON."""
        results_to_json(self._saved(results), path, indent=indent)

    def _saved(self, results: CandidateJudgeOutput | None) -> CandidateJudgeOutput:
        found = self._last_judgments if results is None else results
        if found is None:
            raise ParameterError("compat.no_results")
        return found
