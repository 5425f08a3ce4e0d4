"""Pairs become batches, all at once, as one would write them down one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.errors import ParameterError
from locisimiles.models.batches import batches_by_length
from locisimiles.models.pair_pieces import PairTemplate, PairTexts, TextPieces

TEXTS = st.lists(st.lists(st.integers(5, 14), max_size=9), min_size=1, max_size=6)


def pieces(rows):
    bounds = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    flat = [piece for row in rows for piece in row]
    return TextPieces(np.array(flat, np.uint16), bounds)


OURS, ROBERTA = PairTemplate(), PairTemplate((0,), (2, 2), (2,), 1)


@given(TEXTS, TEXTS, st.integers(6, 24), st.sampled_from([OURS, ROBERTA]), st.data())
def test_a_batch_is_what_one_writes_down_by_hand(queries, sources, budget, template, data):
    matches = data.draw(st.booleans())
    texts = PairTexts(pieces(queries), pieces(sources), budget, matches, template)
    half = (budget - (3 if template is OURS else 4)) // 2
    count = data.draw(st.integers(1, 5))
    chosen = [
        np.array(data.draw(st.lists(st.integers(0, len(side) - 1), min_size=count, max_size=count)))
        for side in (queries, sources)
    ]
    batch = texts.batch(*chosen)
    width = 0
    for row, (one, two) in enumerate(zip(*chosen, strict=True)):
        query, source = queries[one][:half], sources[two][:half]
        start, gap, end = ([2], [3], [3]) if template is OURS else ([0], [2, 2], [2])
        numbers = [*start, *query, *gap, *source, *end]
        marks = [
            0, *(2 * (matches and piece in source) for piece in query),
            *(0 for _ in gap), *(1 + 2 * (matches and piece in query) for piece in source), 1,
        ]  # fmt: skip
        rest = batch.numbers.shape[1] - len(numbers)
        assert batch.numbers[row].tolist() == numbers + [template.padding] * rest
        assert batch.marks[row].tolist() == marks + [0] * rest
        assert batch.lengths[row].tolist() == [len(query), len(source)]
        assert texts.lengths(*chosen)[row] == len(numbers) <= budget
        width = max(width, len(numbers))
    assert batch.numbers.shape[1] == width


@given(TEXTS, st.integers(0, 5), st.data())
def test_chosen_texts_are_cut_off(rows, longest, data):
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    part = pieces(rows).select(np.array(chosen, np.int64), longest)
    found = [part.piece[a:b].tolist() for a, b in zip(part.bounds, part.bounds[1:], strict=False)]
    assert found == [rows[row][:longest] for row in chosen]


@given(st.lists(st.integers(1, 40), max_size=60), st.integers(1, 100))
def test_batches_by_length_have_each_pair_once_and_are_not_too_big(lengths, most):
    lengths = np.array(lengths, np.int64)
    seen = []
    for rows in batches_by_length(lengths, most):
        assert len(rows) == 1 or len(rows) * lengths[rows].max() <= most
        seen += rows.tolist()
    assert sorted(seen) == list(range(len(lengths)))


def test_a_budget_too_small_for_a_pair_is_refused():
    with pytest.raises(ParameterError):
        list(batches_by_length(np.array([3]), 0))
