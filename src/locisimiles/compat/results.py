"""Result dictionaries of the paper's package: lists of judged candidates by query id."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from locisimiles.compat.document import ID, Document, TextSegment
from locisimiles.display import printable
from locisimiles.files.writing import atomic

__all__ = [
    "Candidate",
    "CandidateGeneratorOutput",
    "CandidateJudge",
    "CandidateJudgeInput",
    "CandidateJudgeOutput",
    "Candidates",
    "FullDict",
    "FullPair",
    "JudgeInput",
    "JudgeOutput",
    "Judgment",
    "ScoreT",
    "SimDict",
    "SimPair",
    "pretty_print",
    "results_to_csv",
    "results_to_json",
]


@dataclass
class Candidate:
    """A source segment that was found for a query, with its score."""

    segment: TextSegment
    score: float


@dataclass
class CandidateJudge:
    """A candidate with the judgement of a judge."""

    segment: TextSegment
    candidate_score: float | None
    judgment_score: float
    predicted_class_id: int | None = None
    predicted_label: str | None = None
    class_probabilities: dict[str, float] | None = None


CandidateGeneratorOutput = dict[ID, list[Candidate]]
CandidateJudgeOutput = dict[ID, list[CandidateJudge]]
CandidateJudgeInput = CandidateGeneratorOutput
Judgment = CandidateJudge
JudgeOutput = CandidateJudgeOutput
JudgeInput = CandidateJudgeInput
ScoreT = float
SimPair = tuple[TextSegment, float]
FullPair = tuple[TextSegment, float, float]
SimDict = dict[ID, list[SimPair]]
FullDict = dict[ID, list[FullPair]]


class Candidates(dict[ID, list[Candidate]]):
    """Candidates that know where they were found: how rare a word is depends on all sources."""

    source: Document | None = None


def pretty_print(results: CandidateJudgeOutput) -> None:
    """Print each query segment with its candidates."""
    for query_id, found in results.items():
        print(f"\n▶ Query segment {printable(repr(query_id))}:")  # noqa: T201 - what it is for
        for one in map(_judged, found):
            score = "N/A" if one.candidate_score is None else f"{one.candidate_score:+.3f}"
            label = f"  label={one.predicted_label}" if one.predicted_label is not None else ""
            name = printable(str(one.segment.id))
            judged = f"candidate={score}  judgment={one.judgment_score:.3f}{label}"
            print(f"  {name:<25}  {judged}")  # noqa: T201


def results_to_csv(results: CandidateJudgeOutput, path: str | Path) -> None:
    """Write a row for each pair: ``query_id``, ``source_id``, ``source_text`` and the scores.

    Classes follow, if a judge named any.
    """
    pairs = [(query_id, _judged(one)) for query_id, found in results.items() for one in found]
    classes = list(dict.fromkeys(name for _, one in pairs for name in _classes(one)))
    names = ["query_id", "source_id", "source_text", "candidate_score", "judgment_score"]
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow([*names, *(_CLASSES if classes else ())])
    for query_id, one in pairs:
        score = "" if one.candidate_score is None else one.candidate_score
        row = [query_id, one.segment.id, one.segment.text, score, one.judgment_score]
        cells = _classes(one)
        writer.writerow([*row, *(_cell(cells.get(name, "")) for name in _CLASSES if classes)])
    with atomic(Path(path)) as stream:
        stream.write(table.getvalue())


def results_to_json(results: CandidateJudgeOutput, path: str | Path, *, indent: int = 2) -> None:
    """Write an object with the pairs of each query."""
    content = {
        str(query_id): [
            {
                "source_id": str(one.segment.id),
                "source_text": one.segment.text,
                "candidate_score": one.candidate_score,
                "judgment_score": one.judgment_score,
                **_classes(one),
            }
            for one in map(_judged, found)
        ]
        for query_id, found in results.items()
    }
    with atomic(Path(path)) as stream:
        json.dump(content, stream, indent=indent, ensure_ascii=False)


_CLASSES = ("predicted_class_id", "predicted_label", "class_probabilities")


def _classes(one: CandidateJudge) -> dict[str, Any]:
    values = {name: getattr(one, name) for name in _CLASSES}
    return {name: value for name, value in values.items() if value is not None}


def _cell(value: object) -> object:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return value


def _judged(one: Any) -> CandidateJudge:
    """Return a pair of older releases, a tuple, as one of today."""
    return one if isinstance(one, CandidateJudge) else CandidateJudge(*one)
