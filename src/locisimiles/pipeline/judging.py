"""Candidates ordered by their probability, and selected: in a block, and over all blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.candidates import Candidates, ranking
from locisimiles.classify.verses import judged_with_search
from locisimiles.results import Results
from locisimiles.results.base import chosen_groups
from locisimiles.retrieve.combined import CombinedIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from locisimiles.classify.base import Pairs
    from locisimiles.classify.base_rates import BaseRates
    from locisimiles.classify.calibration import Calibration
    from locisimiles.classify.selection import Expectation, Selection, Tally
    from locisimiles.corpus import Document

__all__ = [
    "adapted_results",
    "assumption",
    "cut_blocks",
    "described_expectation",
    "expected_references",
    "judged_as_searched",
    "kept_results",
    "ranked_pairs",
    "selected_blocks",
]


def judged_as_searched(
    index: object, pairs: Pairs, judged: NDArray[np.float32], score: NDArray[np.floating[Any]]
) -> NDArray[np.float32]:
    """Return probabilities that count the score of the search, too, where sources are verses.

    Parameters
    ----------
    index
        The index that was searched; but for one of the default search with verses of a Bible,
        nothing changes.
    pairs, judged
        All candidates, query by query, and their probabilities.
    score
        Their scores in the search.
    """
    clues = index.clues if isinstance(index, CombinedIndex) else None
    if clues is None:
        return judged
    rows = np.flatnonzero(clues.verses(pairs.source_rows))
    query, source = pairs.query_rows[rows], pairs.source_rows[rows]
    segments, begins = np.unique(query, return_index=True)
    gains = [
        clues.gains(pairs.query.texts[segment], own)
        for segment, own in zip(
            segments.tolist(), np.split(source, begins[1:]) if len(source) else [], strict=True
        )
    ]
    result = np.array(judged, np.float32)
    result[rows] = judged_with_search(
        judged[rows],
        query,
        score[rows],
        np.concatenate([np.empty(0, np.float32), *gains]),
        clues.weights.judged,
    )
    return result


def ranked_pairs(
    pairs: Pairs,
    judged: NDArray[np.float32],
    ties: NDArray[np.int64],
    k: int,
    selection: Selection,
) -> tuple[Candidates, NDArray[np.float32]]:
    """Order pairs by their probability of a reference, and select among them."""
    query, source = pairs.query_rows, pairs.source_rows
    probability = judged[:, 1] + judged[:, 2]
    order = ranking(probability, ties[source], query)
    place = np.arange(len(order)) - np.searchsorted(query[order], query[order])
    kept = order[place < k]
    kept = kept[selection.kept(probability[kept])]
    candidates = Candidates(
        query=query[kept].astype(np.int32),
        source=source[kept].astype(np.int32),
        score=probability[kept].astype(np.float32),
    )
    return candidates, judged[kept]


def selected_blocks(
    blocks: Iterable[Results], selection: Selection, size: int
) -> Iterator[Results]:
    """Select over all blocks: read them to the end, then yield what is kept as blocks again.

    Only columns are held, 24 bytes a pair: with a budget for at most twice that many pairs and a
    block, with a precision for all, since how far down it reaches depends on all pairs.
    """
    held: list[Results] = []
    for block in blocks:
        held.append(block)
        if selection.budget is not None and sum(map(len, held)) > 2 * selection.budget:
            held = [kept_results(Results.join(held), selection)]
    whole = kept_results(Results.join(held), selection)
    del held
    yield from cut_blocks(whole, size)


def cut_blocks(whole: Results, size: int) -> Iterator[Results]:
    """Yield results as blocks of query segments; of none, one block."""
    for begin in range(0, max(len(whole.query), 1), size):
        ends = np.searchsorted(whole.candidates.query, [begin, begin + size])
        yield _rows(whole, np.arange(*ends))


def adapted_results(whole: Results, rates: BaseRates, selection: Selection) -> Results:
    """Adapt probabilities to the base rate of the whole text, then select among the pairs."""
    authors = whole.query.authors
    found, judged = whole.candidates, whole.probabilities
    assert judged is not None  # noqa: S101 - a classifier has judged them
    rate = rates.estimate(found.query, found.score, authors)
    chances = rate.adapted(judged, [authors[row] for row in found.query.tolist()])
    score = chances[:, 1] + chances[:, 2]
    adapted = replace(whole, candidates=replace(found, score=score), probabilities=chances)
    manifest = {**whole.manifest, "base_rate": rate.as_dict(authors)}
    return replace(kept_results(adapted, selection), manifest=manifest)


def expected_references(tally: Tally, calibration: Calibration, query: Document) -> Expectation:
    """Return the number of references to expect among all pairs that were counted."""
    rates = calibration.base_rates
    spread = calibration.spread if rates is None else rates.spread(query.authors)
    return tally.expectation(spread)


def assumption(calibration: Calibration) -> str:
    """Say in a sentence what the number of references to expect assumes."""
    if calibration.base_rates is None:
        return (
            "This assumes that the text refers as often as those that the classifier has learnt "
            "from, which most texts do not."
        )
    return (
        "This assumes that references look like those the classifier has learnt from; how often "
        "this text refers was estimated from the text."
    )


def described_expectation(
    tally: Tally, calibration: Calibration, query: Document
) -> dict[str, object]:
    """Return the number of references to expect, and what that assumes, for manifests."""
    return {
        "references": expected_references(tally, calibration, query).as_dict(),
        "assumption": assumption(calibration),
    }


def kept_results(results: Results, selection: Selection) -> Results:
    """Return the results that a selection keeps."""
    return _rows(results, np.flatnonzero(selection.kept(results.candidates.score)))


def _rows(results: Results, rows: NDArray[np.int64]) -> Results:
    judged = results.probabilities
    return replace(
        results,
        candidates=results.candidates.select(rows),
        probabilities=None if judged is None else judged[rows],
        best=chosen_groups(results.best, rows),
        shared=None if results.shared is None else [results.shared[row] for row in rows.tolist()],
    )
