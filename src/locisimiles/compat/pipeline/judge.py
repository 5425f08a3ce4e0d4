"""The judges of the paper's package, on our classifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.classify import Ensemble, Pairs
from locisimiles.classify.methods import make_classifier
from locisimiles.compat.models import CLASSIFIER, local_model
from locisimiles.compat.pipeline.classes import ClassNames
from locisimiles.compat.results import CandidateJudge
from locisimiles.compat.texts import prepared
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from locisimiles.classify import Classifier
    from locisimiles.compat.document import ID, Document, TextSegment
    from locisimiles.compat.results import CandidateGeneratorOutput, CandidateJudgeOutput

__all__ = [
    "CandidateJudgeBase",
    "ClassificationJudge",
    "IdentityJudge",
    "JudgeBase",
    "LexicalClassifierJudge",
    "ThresholdJudge",
]


class CandidateJudgeBase(ABC):
    """Gives each candidate a judgement."""

    @abstractmethod
    def judge(
        self, *, query: Document, candidates: CandidateGeneratorOutput, **kwargs: Any
    ) -> CandidateJudgeOutput:
        """Return the judged candidates of each query segment, in the same order."""


JudgeBase = CandidateJudgeBase


class IdentityJudge(CandidateJudgeBase):
    """Judges every candidate with 1."""

    def judge(
        self,
        *,
        query: Document,  # noqa: ARG002 - of the interface
        candidates: CandidateGeneratorOutput,
        **kwargs: Any,  # noqa: ARG002
    ) -> CandidateJudgeOutput:
        """Return the candidates, judged."""
        return {
            query_id: [CandidateJudge(one.segment, one.score, 1.0) for one in found]
            for query_id, found in candidates.items()
        }


class ThresholdJudge(CandidateJudgeBase):
    """Judges the first `top_k` with 1, or those with a score of `similarity_threshold` or more."""

    def __init__(self, *, top_k: int = 10, similarity_threshold: float | None = None) -> None:
        self.top_k, self.similarity_threshold = top_k, similarity_threshold

    def judge(
        self,
        *,
        query: Document,  # noqa: ARG002 - of the interface
        candidates: CandidateGeneratorOutput,
        top_k: int | None = None,
        similarity_threshold: float | None = None,
        **kwargs: Any,  # noqa: ARG002
    ) -> CandidateJudgeOutput:
        """Return the candidates, each judged with 1 or 0."""
        most = self.top_k if top_k is None else top_k
        least = self.similarity_threshold if similarity_threshold is None else similarity_threshold

        def judged(rank: int, score: float) -> float:
            return float(rank < most if least is None else score >= least)

        return {
            query_id: [
                CandidateJudge(one.segment, one.score, judged(rank, one.score))
                for rank, one in enumerate(found)
            ]
            for query_id, found in candidates.items()
        }


class _Classifying(CandidateJudgeBase):
    """A judge that is a classifier of ours."""

    device: str = "cpu"

    def __init__(self, classifier: Classifier, names: ClassNames) -> None:
        self.classifier, self._names = classifier, names

    def judge(
        self,
        *,
        query: Document,
        candidates: CandidateGeneratorOutput,
        **kwargs: Any,  # noqa: ARG002 - such as batch_size
    ) -> CandidateJudgeOutput:
        """Return the candidates with the probability that they are references."""
        listed = [(query_id, one) for query_id, found in candidates.items() for one in found]
        results: CandidateJudgeOutput = {query_id: [] for query_id in candidates}
        if not listed:
            return results
        asked = [query[query_id] for query_id in candidates]
        pool, author = _pool(candidates)
        queries, sources = prepared(asked, query.author), prepared(pool, author)
        query_rows = {segment.id: row for row, segment in enumerate(asked)}
        source_rows = {segment.id: row for row, segment in enumerate(pool)}
        pairs = Pairs(
            queries,
            sources,
            [query_rows[query_id] for query_id, _ in listed],
            [source_rows[one.segment.id] for _, one in listed],
        )
        rows = self.classifier.probabilities(pairs).astype(float).tolist()
        for (query_id, one), row in zip(listed, rows, strict=True):
            results[query_id].append(self._names.judged(one.segment, one.score, row))
        return results


class ClassificationJudge(_Classifying):
    """Judges by the ensemble that comes with this program, or by a cross-encoder in a folder.

    Parameters
    ----------
    classification_name
        The folder of a transformer that classifies into three classes. Other names are not
        downloaded: our ensemble takes their place.
    device
        For a model of your own.
    pos_class_idx, label_names, positive_class_ids, positive_labels, negative_labels
        The names of the classes, and which of them are references; two classes, or three in the
        order of no match, *cit.*, *cf.*
    emit_class_metadata
        Whether to name the most probable class and all probabilities; by default, if classes were
        named.
    """

    def __init__(
        self,
        *,
        classification_name: str = CLASSIFIER,
        device: str | int | None = None,
        pos_class_idx: int = 1,
        label_names: Sequence[str] | Mapping[int | str, str] | None = None,
        positive_class_ids: Sequence[int] | None = None,
        positive_labels: Sequence[str] | None = None,
        negative_labels: Sequence[str] | None = None,
        emit_class_metadata: bool | None = None,
    ) -> None:
        self.device = "cpu" if device is None else str(device)
        folder = local_model(classification_name)
        names = ClassNames.of(
            label_names,
            pos_class_idx=pos_class_idx,
            positive_class_ids=positive_class_ids,
            positive_labels=positive_labels,
            negative_labels=negative_labels,
            emit=emit_class_metadata,
        )
        super().__init__(Ensemble() if folder is None else make_classifier(folder), names)


class LexicalClassifierJudge(_Classifying):
    """Judges by an ensemble of ours whose weights are in a ``.json`` file.

    The ``.joblib`` files of the paper's package are pickles, which can run any code; they are
    refused.
    """

    def __init__(
        self,
        *,
        artifact_path: str | Path,
        pos_class_idx: int = 1,
        positive_class_ids: Sequence[int] | None = None,
        positive_labels: Sequence[str] | None = None,
        negative_labels: Sequence[str] | None = None,
        emit_class_metadata: bool | None = None,
    ) -> None:
        if Path(artifact_path).suffix.lower() != ".json":
            raise ParameterError("compat.artifact", path=str(artifact_path))
        names = ClassNames.of(
            None,
            pos_class_idx=pos_class_idx,
            positive_class_ids=positive_class_ids,
            positive_labels=positive_labels,
            negative_labels=negative_labels,
            emit=emit_class_metadata,
        )
        super().__init__(make_classifier(artifact_path), names)


def _pool(candidates: CandidateGeneratorOutput) -> tuple[list[TextSegment], str | None]:
    """Return the sources: all of them if known, else those that are candidates."""
    source: Document | None = getattr(candidates, "source", None)
    found: dict[ID, TextSegment] = {
        one.segment.id: one.segment for listed in candidates.values() for one in listed
    }
    if source is not None and found.keys() <= source.segments.keys():
        return list(source), source.author
    return list(found.values()), None
