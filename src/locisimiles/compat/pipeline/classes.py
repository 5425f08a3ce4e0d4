"""The names that users give to the classes of a judge, and which of them are references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.compat.results import CandidateJudge
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from locisimiles.compat.document import TextSegment

__all__ = ["NEGATIVE", "ClassNames", "folded"]

NEGATIVE = frozenset("0 label_0 negative no none no_match not_intertext non_link".split())
"""The names of the class of pairs without a reference."""
_TWO, _THREE = ("LABEL_0", "LABEL_1"), ("no_match", "cit", "cf")


def folded(label: object) -> str:
    """Return a label as it is compared.

    Examples
    --------
    >>> folded("No match"), folded("cit.")
    ('no_match', 'cit')
    """
    return str(label).strip().lower().replace("-", "_").replace(" ", "_").rstrip(".")


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Two or three classes, and those that count as references."""

    names: tuple[str, ...]
    positive: tuple[int, ...]
    emit: bool

    @classmethod
    def of(
        cls,
        label_names: Sequence[str] | Mapping[int | str, str] | None,
        *,
        pos_class_idx: int,
        positive_class_ids: Sequence[int] | None,
        positive_labels: Sequence[str] | None,
        negative_labels: Sequence[str] | None,
        emit: bool | None,
    ) -> ClassNames:
        """Return the classes that the parameters of a judge mean."""
        given = (label_names, positive_class_ids, positive_labels, negative_labels)
        explicit = any(value is not None for value in given)
        names = _named(label_names, three=explicit)
        if len(names) not in {len(_TWO), len(_THREE)}:
            raise ParameterError("compat.classes", count=len(names))
        negative = NEGATIVE | {folded(one) for one in negative_labels or ()}
        if positive_class_ids is not None:
            positive = [at for at in positive_class_ids if 0 <= at < len(names)]
        elif positive_labels is not None:
            wanted = {folded(one) for one in positive_labels}
            positive = [at for at, name in enumerate(names) if folded(name) in wanted]
        else:
            positive = [at for at, name in enumerate(names) if folded(name) not in negative]
            if len(names) == len(_TWO) and len(positive) != 1:
                positive = [pos_class_idx]
        return cls(names, tuple(positive), explicit if emit is None else emit)

    def judged(
        self, segment: TextSegment, score: float | None, row: Sequence[float]
    ) -> CandidateJudge:
        """Return a candidate with its judgement, from our three probabilities."""
        values = self._values(row)
        judgement = min(sum(values[at] for at in self.positive), 1.0)
        if not self.emit:
            return CandidateJudge(segment, score, judgement)
        best = max(range(len(values)), key=values.__getitem__)
        return CandidateJudge(
            segment,
            score,
            judgement,
            best,
            self.names[best],
            dict(zip(self.names, values, strict=True)),
        )

    def _values(self, row: Sequence[float]) -> list[float]:
        """Return the probability of each class; where the class without a reference stands."""
        negative = [at for at, name in enumerate(self.names) if folded(name) in NEGATIVE]
        none = negative[0] if len(negative) == 1 else 0
        if len(self.names) == len(_TWO):
            parts = [row[0], 1 - row[0]]
            return parts if none == 0 else parts[::-1]
        others = [row[1], row[2]]
        last = [name for at, name in enumerate(self.names) if at != none][-1]
        if folded(last) == "cit":
            others.reverse()  # the user names cf. before cit.
        others.insert(none, row[0])
        return others


def _named(
    label_names: Sequence[str] | Mapping[int | str, str] | None, *, three: bool
) -> tuple[str, ...]:
    if label_names is None:
        return _THREE if three else _TWO
    if isinstance(label_names, Mapping):
        by_number = {int(number): str(name) for number, name in label_names.items()}
        return tuple(by_number[number] for number in sorted(by_number))
    return tuple(map(str, label_names))
