"""Pairs become batches, all at once, as one would write them down one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.models.pair_pieces import PairTexts, TextPieces

TEXTS = st.lists(st.lists(st.integers(5, 14), max_size=9), min_size=1, max_size=6)


def pieces(rows):
    bounds = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    flat = [piece for row in rows for piece in row]
    return TextPieces(np.array(flat, np.uint16), bounds)


@given(TEXTS, TEXTS, st.integers(5, 24), st.booleans(), st.data())
def test_a_batch_is_what_one_writes_down_by_hand(queries, sources, budget, matches, data):
    texts = PairTexts(pieces(queries), pieces(sources), budget=budget, matches=matches)
    half = (budget - 3) // 2
    count = data.draw(st.integers(1, 5))
    chosen = [
        np.array(data.draw(st.lists(st.integers(0, len(side) - 1), min_size=count, max_size=count)))
        for side in (queries, sources)
    ]
    batch = texts.batch(*chosen)
    width = 0
    for row, (one, two) in enumerate(zip(*chosen, strict=True)):
        query, source = queries[one][:half], sources[two][:half]
        numbers = [2, *query, 3, *source, 3]
        marks = [
            0, *(2 * (matches and piece in source) for piece in query),
            0, *(1 + 2 * (matches and piece in query) for piece in source), 1,
        ]  # fmt: skip
        rest = batch.numbers.shape[1] - len(numbers)
        assert batch.numbers[row].tolist() == numbers + [0] * rest
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
