"""Judgements of readers as cells of a table, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

from locisimiles.errors import MalformedInputError
from locisimiles.results.judgements import PairJudgement, ReaderJudgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.results.base import ResultColumns

__all__ = [
    "JUDGEMENT_COLUMNS",
    "are_judged",
    "judged_pairs",
    "judgement_cells",
    "parse_judgement",
    "parse_verdict",
]

_OF_ONE = ("verdict", "note", "reader", "date")
JUDGEMENT_COLUMNS = (*_OF_ONE, "adjudicated", "judgements")
"""The columns of a table whose pairs readers judged: what counts, then all judgements as JSON."""

_YES = "yes"
_VERDICTS: dict[str, Verdict] = {name: name for name in get_args(Verdict)}


def are_judged(columns: tuple[str, ...]) -> bool:
    """Tell whether a table has judgements; others' tables may have some of the names."""
    return set(JUDGEMENT_COLUMNS) <= set(columns)


def judgement_cells(judgement: PairJudgement | None) -> dict[str, str]:
    """Return the cells of a pair.

    Examples
    --------
    >>> ann = ReaderJudgement("cf.", "cf. Hagendahl", "Ann")
    >>> list(judgement_cells(PairJudgement.of([ann])).values())[:4]
    ['cf.', 'cf. Hagendahl', 'Ann', '']
    """
    if judgement is None:
        return dict.fromkeys(JUDGEMENT_COLUMNS, "")
    all_of_them = json.dumps(list(map(_as_dict, judgement.readers)), ensure_ascii=False)
    return {
        **{name: getattr(judgement, name) or "" for name in _OF_ONE},
        "adjudicated": _YES if judgement.adjudicated else "",
        "judgements": all_of_them if judgement.readers else "",
    }


def judged_pairs(results: ResultColumns) -> list[dict[str, object]]:
    """Return the judged pairs, for formats that have no row for each pair."""
    return [
        {
            "query_id": one.query.id,
            "source_id": one.source.id,
            **{name: getattr(one.judgement, name) for name in _OF_ONE},
            "judgements": list(map(_as_dict, one.judgement.readers)),
        }
        for one in results
        if one.judgement is not None
    ]


def _as_dict(one: ReaderJudgement) -> dict[str, object]:
    """Return what is known of a judgement."""
    return {name: value for name, value in asdict(one).items() if value}


def parse_judgement(cells: Mapping[str, str]) -> PairJudgement | None:
    r"""Parse what `judgement_cells` wrote, or raise an InputError; None if nobody judged.

    Examples
    --------
    >>> ann = PairJudgement.of([ReaderJudgement("cf.", "two\\nlines", "Ann")])
    >>> parse_judgement(judgement_cells(ann)) == ann
    True
    """
    if not any(cells[name] for name in JUDGEMENT_COLUMNS):
        return None
    return PairJudgement(
        parse_verdict(cells["verdict"]),
        cells["note"],
        cells["reader"],
        cells["date"],
        cells["adjudicated"] == _YES,
        _parse_readers(cells["judgements"]),
    )


def parse_verdict(text: str) -> Verdict | None:
    """Return a verdict as this package writes it, or raise an InputError; None if empty."""
    if not text:
        return None
    if text not in _VERDICTS:
        raise MalformedInputError("export.unknown_verdict", verdict=text)
    return _VERDICTS[text]


def _parse_readers(text: str) -> tuple[ReaderJudgement, ...]:
    try:
        listed = json.loads(text or "[]")
        return tuple(
            ReaderJudgement(
                parse_verdict(str(one.get("verdict") or "")),
                str(one.get("note", "")),
                str(one.get("reader", "")),
                str(one.get("date", "")),
                adjudicated=one.get("adjudicated") is True,
                independent=one.get("independent") is True,
            )
            for one in listed
        )
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise MalformedInputError("export.no_judgements", cell=text[:60]) from error
