"""Find the words of labelled texts in our edition of the work.

Labels name segments of a corpus that was cut, and sometimes spelt, a little differently from ours.
A labelled text is looked up in its own work:

``exact``
    A segment has the same words (case, punctuation, u/v and i/j aside).
``overlap``
    No segment has, but a passage shares enough words with it. The passage is the run of words,
    close to the labelled locus if there are several, whose Dice coefficient with the text is
    highest. If it is a whole segment, that one is taken; if it is part of one or spans several, the
    segments are recut there (see `recut`).
``inserted``
    The work does not have it; it becomes a segment of its own.

Each word of a work stands for one labelled text at most, so that distinct references stay distinct:
the best match takes it, and the next best must do without.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np

from locisimiles.benchmark.sets.words import folded_words, word_overlap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.gold import GoldSegment
    from locisimiles.benchmark.sets.words import WorkWords

__all__ = ["LEAST_OVERLAP", "Passage", "align_work"]

LEAST_OVERLAP = 0.6
"""The lowest Dice coefficient at which a passage counts as the labelled text.

Of the 1,945 labelled texts of the published set, 1,943 are found in their works with 0.85 or more.
The other two, whose works the editions lack, score at most 0.21 anywhere in their author's works.
Other works are not searched if the work is known: authors quote the same verse more than once.
"""

_MARGIN = 12  # words that editions may add before or after a text
_COST_OF_A_CUT = 0.03
_SHIFT = 7  # words by which parts of a text may shift against each other


@dataclass(frozen=True, slots=True)
class Passage:
    """The place of a labelled text in a work.

    Attributes
    ----------
    begin, end
        The run of words that stands for the text.
    how
        Whether it is a segment with the same words, or a passage that shares many with it.
    score
        Dice coefficient of the text with the most similar segment of the edition.
    recut_score
        Dice coefficient with the passage itself; higher if segments are recut for it.
    """

    begin: int
    end: int
    how: Literal["exact", "overlap"]
    score: float
    recut_score: float


def align_work(gold: Sequence[GoldSegment], work: WorkWords) -> dict[str, Passage]:
    """Find labelled texts in their work.

    Returns
    -------
    dict
        The passage of each text found, by its id in the labels. No two overlap.
    """
    free = np.ones(len(work.words), bool)
    found: dict[str, Passage] = {}
    waiting = list(gold)
    while waiting:
        proposals = [(segment, _best_passage(segment, work, free)) for segment in waiting]
        matches = [(segment, match) for segment, match in proposals if match is not None]
        waiting = []
        for segment, match in sorted(matches, key=_surest_first):
            if free[match.begin : match.end].all():
                free[match.begin : match.end] = False
                found[segment.id] = match
            else:
                waiting.append(segment)
    return found


def _surest_first(match: tuple[GoldSegment, Passage]) -> tuple[bool, float, str]:
    segment, passage = match
    return passage.how != "exact", -passage.recut_score, segment.id


def _best_passage(gold: GoldSegment, work: WorkWords, free: NDArray[np.bool_]) -> Passage | None:
    """Return the best passage of a text, in any of its spellings."""
    near = work.place_of(gold.id, gold.locus)
    matches = [_passage_of(folded_words(text), work, near, free) for text in gold.texts]
    known = [match for match in matches if match is not None]
    return min(known, key=lambda match: (match.how, -match.recut_score), default=None)


def _passage_of(
    words: tuple[str, ...], work: WorkWords, near: int, free: NDArray[np.bool_]
) -> Passage | None:
    if not words:
        return None
    same = [
        segment
        for segment in work.with_words.get(words, ())
        if free[work.begins[segment] : work.begins[segment + 1]].all()
    ]
    if same:
        nearest = min(same, key=lambda segment: abs(segment - near))
        return Passage(work.begins[nearest], work.begins[nearest + 1], "exact", 1.0, 1.0)
    window = _window(words, work, work.begins[near], free)
    if window is None:
        return None
    begin, end, recut_score = _best_run(words, work, window, free)
    if recut_score < LEAST_OVERLAP:
        return None
    bag = Counter(words)
    touched = range(work.segment_at(begin), work.segment_at(end - 1) + 1)
    score = max(word_overlap(bag, Counter(work.words_of(segment))) for segment in touched)
    return Passage(begin, end, "overlap", score, recut_score)


def _window(
    words: tuple[str, ...], work: WorkWords, near: int, free: NDArray[np.bool_]
) -> tuple[int, int] | None:
    """Return the part of the work that has most of the words, in their order.

    Each occurrence of a word votes for the position at which the text would then begin.
    """
    places = [
        positions[free[positions]] - i
        for i, word in enumerate(words)
        if (positions := work.places.get(word)) is not None
    ]
    votes = np.concatenate(places) if places else np.empty(0, np.int64)
    if not len(votes):
        return None
    lowest = int(votes.min())
    counts = np.convolve(np.bincount(votes - lowest), np.ones(_SHIFT), mode="same")
    most = np.flatnonzero(counts > counts.max() - 0.5) + lowest
    start = int(most[np.argmin(np.abs(most - near))])
    reach = _MARGIN + len(words) // 2
    return max(start - reach, 0), min(start + len(words) + reach, len(work.words))


def _best_run(
    words: tuple[str, ...], work: WorkWords, window: tuple[int, int], free: NDArray[np.bool_]
) -> tuple[int, int, float]:
    """Return the run of free words in the window that is most similar to the text, and its score.

    A cut that the edition does not have must be worth its cost: a word at either end that is spelt
    differently, or in a long text left out, does not justify one.
    """
    bag = Counter(words)
    cuts = set(work.begins)
    best, best_run = (0.0, 0), (0, 0, 0.0)
    for begin, end in _possible_runs(words, work, window, free):
        overlap = word_overlap(bag, Counter(work.words[begin:end]))
        new_cuts = (begin not in cuts) + (end not in cuts)
        merit = (round(overlap - _COST_OF_A_CUT * new_cuts, 9), begin - end)
        if merit > best and free[begin:end].all():
            best, best_run = merit, (begin, end, overlap)
    return best_run


def _possible_runs(
    words: tuple[str, ...], work: WorkWords, window: tuple[int, int], free: NDArray[np.bool_]
) -> Iterator[tuple[int, int]]:
    """Yield the runs of words worth trying.

    They begin and end at the bounds of segments, of words already taken, or of the text itself when
    it is aligned with a block of words that it shares with the work.
    """
    first, last = window
    matcher = SequenceMatcher(None, words, work.words[first:last], autojunk=False)
    shared = [block for block in matcher.get_matching_blocks() if block.size]
    segments = range(work.segment_at(first), work.segment_at(last - 1) + 2)
    edges = {work.begins[segment] for segment in segments}
    edges |= set((np.flatnonzero(np.diff(free[first:last])) + first + 1).tolist())
    begins = edges | {first + block.b - block.a for block in shared}
    ends = edges | {first + block.b - block.a + len(words) for block in shared}
    for begin, end in product(sorted(begins), sorted(ends)):
        if first <= begin < end <= last:
            yield begin, end
