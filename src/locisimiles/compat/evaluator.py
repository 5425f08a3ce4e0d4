"""The evaluator of the paper's package: links above a threshold against known references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_choice
from locisimiles.compat.ground_truth import GroundTruth, LabelValue
from locisimiles.compat.pipeline.classes import NEGATIVE, folded
from locisimiles.compat.tables import data_frame
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.compat.document import ID, Document
    from locisimiles.compat.pipeline.pipeline import Pipeline
    from locisimiles.compat.results import CandidateJudge, CandidateJudgeOutput

__all__ = ["IntertextEvaluator"]

_LEAST = {"smr", "fpr", "fnr"}
_MOST = {"f1", "precision", "recall", "accuracy"}
_THRESHOLDS = tuple(round(0.1 * step, 2) for step in range(1, 10))
_K_VALUES = (1, 2, 3, 5, 10, 15, 20, 25, 50)
_FOUND = ("precision", "recall", "f1", "accuracy")
_ERRORS = ("fpr", "fnr", "smr")
_COUNTS = ("tp", "fp", "fn", "tn")
_NO_MATCH, _CIT, _CF = "no_match", "cit", "cf"
_LABELS = {
    **dict.fromkeys(["0", "label_0", "negative", "none", "no_match"], _NO_MATCH),
    **dict.fromkeys(["1", "label_1", "cit", "verbatim", "verbatim_reference"], _CIT),
    **dict.fromkeys(["2", "label_2", "cf", "allusion"], _CF),
}


class IntertextEvaluator:
    """Runs a pipeline once, and counts right and wrong links at any threshold.

    Pairs that the pipeline does not return count as no links. Precision, recall, F1 and accuracy
    are those of queries with known references; ``fpr``, ``fnr`` and ``smr`` (wrong pairs, of all
    pairs) those of all queries. The benchmark and its protocols are in `locisimiles.benchmark`.

    Parameters
    ----------
    query_doc, source_doc, pipeline, top_k
        What is searched, how, and how many candidates a query has.
    ground_truth
        Known references; see `GroundTruth`.
    threshold
        The least judgement of a link, or ``auto``: the best of 0.1 to 0.9.
    auto_threshold_metric
        What is best then.
    """

    def __init__(
        self,
        *,
        query_doc: Document,
        source_doc: Document,
        ground_truth: object,
        pipeline: Pipeline,
        top_k: int = 5,
        threshold: float | str = "auto",
        auto_threshold_metric: str = "smr",
    ) -> None:
        self.query_doc, self.source_doc = query_doc, source_doc
        self.pipeline, self.top_k = pipeline, top_k
        known = ground_truth if isinstance(ground_truth, GroundTruth) else GroundTruth(ground_truth)
        self.gold_labels: dict[tuple[ID, ID], LabelValue] = {
            (entry.query_id, entry.source_id): _label(entry.label) for entry in known
        }
        self.predictions: CandidateJudgeOutput = pipeline.run(
            query=query_doc, source=source_doc, top_k=top_k
        )
        self.num_source_sentences = len(source_doc)
        self.threshold = 0.5 if threshold == "auto" else float(threshold)
        if threshold == "auto":
            best, _ = self.find_best_threshold(metric=auto_threshold_metric, average="micro")
            self.threshold = float(best["best_threshold"])

    def query_ids_with_match(self) -> list[ID]:
        """Return the queries that have labels, in the order of the document."""
        labelled = {query_id for query_id, _ in self.gold_labels}
        return [query_id for query_id in self.query_doc.ids() if query_id in labelled]

    def evaluate_single_query(self, query_id: ID) -> dict[str, Any]:
        """Return counts and metrics of one query."""
        return self._measured([query_id])[0]

    def evaluate_all_queries(self, with_match_only: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Return counts and metrics of each query, as a data frame."""
        ids = self.query_ids_with_match() if with_match_only else self.query_doc.ids()
        return data_frame(self._measured(ids))

    def evaluate(self, *, average: str = "macro", with_match_only: bool = False) -> Any:
        """Return the metrics of all queries, as a data frame of one row.

        Parameters
        ----------
        average
            ``macro``: the mean over queries; ``micro``: over all pairs together.
        with_match_only
            Count wrong links in queries with known references only.
        """
        return data_frame([self._averaged(average, with_match_only=with_match_only)])

    def confusion_matrix(self, query_id: ID) -> Any:
        """Return ``[[tp, fp], [fn, tn]]`` of one query."""
        one = self.evaluate_single_query(query_id)
        return np.array([[one["tp"], one["fp"]], [one["fn"], one["tn"]]])

    def find_best_threshold(
        self,
        *,
        metric: str = "f1",
        thresholds: Sequence[float] | None = None,
        average: str = "micro",
        with_match_only: bool = False,
    ) -> tuple[dict[str, float], Any]:
        """Return the best threshold with its metrics, and a data frame of all."""
        check_choice(sorted(_LEAST | _MOST), metric=metric)
        before, rows = self.threshold, []
        for threshold in thresholds or _THRESHOLDS:
            self.threshold = threshold
            row = self._averaged(average, with_match_only=with_match_only)
            rows.append({"threshold": threshold, **row})
        self.threshold = before
        best = (min if metric in _LEAST else max)(rows, key=lambda row: row[metric])
        found = {"best_threshold": best["threshold"], f"best_{metric}": best[metric], **best}
        found.pop("threshold")
        return found, data_frame(rows)

    def evaluate_k_values(
        self,
        *,
        k_values: Sequence[int] | None = None,
        average: str = "micro",
        with_match_only: bool = False,
    ) -> dict[int, dict[str, float]]:
        """Return the metrics of the first candidates alone, without searching again."""
        fitting = [k for k in k_values or _K_VALUES if k <= self.top_k]
        if not fitting:
            raise ParameterError("compat.k_values", top_k=self.top_k)
        whole, found = self.predictions, {}
        for k in fitting:
            self.predictions = {query_id: listed[:k] for query_id, listed in whole.items()}
            found[k] = self._averaged(average, with_match_only=with_match_only)
        self.predictions = whole
        return found

    def evaluate_multiclass(
        self,
        *,
        labels: Sequence[str] | None = None,
        strategy: str = "argmax",
        negative_label: str = _NO_MATCH,
        label_map: Mapping[LabelValue, str] | None = None,
        include_negative: bool = False,
    ) -> Any:
        """Return precision, recall and F1 of each class, as a data frame.

        Parameters
        ----------
        labels
            The classes; by default all that occur.
        strategy
            ``argmax``: the most probable class; ``thresholded``: the most probable type of
            reference, if it reaches the threshold.
        negative_label, label_map
            The class of pairs without a reference, and what labels mean.
        include_negative
            Whether it has a row, too.
        """
        check_choice(["argmax", "thresholded"], strategy=strategy)
        names = {**_LABELS, **{folded(key): value for key, value in (label_map or {}).items()}}
        negative = _named(negative_label, names)
        gold = {pair: _named(label, names) for pair, label in self.gold_labels.items()}
        said = {
            (query_id, one.segment.id): self._class_of(one, strategy, negative, names)
            for query_id, listed in self.predictions.items()
            for one in listed
        }
        pairs = [
            (gold.get(pair, negative), said.get(pair, negative)) for pair in gold.keys() | said
        ]
        # All other pairs are right: no reference, and none was found.
        others = len(self.query_doc) * self.num_source_sentences - len(pairs)
        seen = {label for pair in pairs for label in pair} | {negative}
        wanted = [_named(label, names) for label in labels] if labels else sorted(seen)
        return data_frame(
            [
                _class_row(label, pairs, others if label == negative else 0)
                for label in wanted
                if include_negative or label != negative
            ]
        )

    def _class_of(
        self, one: CandidateJudge, strategy: str, negative: str, names: Mapping[str, str]
    ) -> str:
        if strategy == "argmax" and one.predicted_label is not None:
            return _named(one.predicted_label, names)
        values: dict[str, float] = {}
        for label, value in (one.class_probabilities or {}).items():
            name = _named(label, names)
            values[name] = values.get(name, 0.0) + value
        if not values:
            return "match" if one.judgment_score >= self.threshold else negative
        if strategy == "argmax":
            return max(values, key=values.__getitem__)
        references = {name: value for name, value in values.items() if name != negative}
        best = max(references, key=references.__getitem__, default=negative)
        return best if references.get(best, -1.0) >= self.threshold else negative

    def _measured(self, query_ids: Iterable[ID]) -> list[dict[str, Any]]:
        gold: dict[ID, set[ID]] = {}
        for (query_id, source_id), label in self.gold_labels.items():
            if folded(label) not in NEGATIVE and source_id in self.source_doc.segments:
                gold.setdefault(query_id, set()).add(source_id)
        rows = []
        for query_id in query_ids:
            known = gold.get(query_id, set())
            said = {
                one.segment.id
                for one in self.predictions.get(query_id, ())
                if one.judgment_score >= self.threshold
            }
            right = len(known & said)
            counts = right, len(said) - right, len(known) - right
            rows.append({"query_id": query_id, **_metrics(*counts, self.num_source_sentences)})
        return rows

    def _averaged(self, average: str, *, with_match_only: bool) -> dict[str, float]:
        check_choice(["macro", "micro"], average=average)
        matched = self._measured(self.query_ids_with_match())
        every = matched if with_match_only else self._measured(self.query_doc.ids())
        totals = {name: sum(row[name] for row in every) for name in _COUNTS}
        if average == "macro":
            found = {name: _mean(row[name] for row in matched) for name in _FOUND}
            wrong = {name: _mean(row[name] for row in every) for name in _ERRORS}
        else:
            found, wrong = _pooled(matched), _pooled(every)
        return {
            **{name: found[name] for name in _FOUND},
            **{name: wrong[name] for name in _ERRORS},
            **totals,
        }


def _metrics(tp: int, fp: int, fn: int, pairs: int) -> dict[str, Any]:
    tn = pairs - tp - fp - fn
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / both if both else 0.0,
        "accuracy": (tp + tn) / pairs if pairs else 0.0,
        "errors": fp + fn,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "tn": tn,
        "fpr": fp / pairs if pairs else 0.0,
        "fnr": fn / pairs if pairs else 0.0,
        "smr": (fp + fn) / pairs if pairs else 0.0,
    }


def _pooled(rows: list[dict[str, Any]]) -> dict[str, Any]:
    tp, fp, fn, tn = (sum(row[name] for row in rows) for name in _COUNTS)
    return _metrics(tp, fp, fn, tp + fp + fn + tn)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def _class_row(label: str, pairs: list[tuple[str, str]], others: int) -> dict[str, Any]:
    tp = sum(gold == said == label for gold, said in pairs) + others
    support = sum(gold == label for gold, _ in pairs) + others
    predicted = sum(said == label for _, said in pairs) + others
    measured = _metrics(tp, predicted - tp, support - tp, 0)
    return {
        "label": label,
        **{name: measured[name] for name in ("precision", "recall", "f1")},
        "support": support,
        "predicted": predicted,
        **{name: measured[name] for name in ("tp", "fp", "fn")},
    }


def _label(label: object) -> LabelValue:
    """Return a label as it was given; a missing one says that there is no reference."""
    if label is None or label != label:  # noqa: PLR0124 - NaN
        return 0
    text = str(label).strip()
    return int(text) if text.lstrip("-").isdigit() else text


def _named(label: object, names: Mapping[str, str]) -> str:
    return names.get(folded(label), folded(label))
