"""How much of an exact search the first stage finds."""

import numpy as np
import pytest

from locisimiles import Document, Index, load_example_query, load_example_source
from locisimiles.late import IndexEncoder, Late
from locisimiles.late.recall import shares_of_exact


@pytest.mark.parametrize("is_stored", [False, True])
def test_shares_are_those_of_an_exact_search(tiny_latin, tmp_path, monkeypatch, is_stored):
    monkeypatch.setattr("locisimiles.late.search.enough_probes", lambda *_: 1)
    monkeypatch.setattr("locisimiles.late.recall._TEXTS_AT_A_TIME", 50)
    query, source = load_example_query()[:5], load_example_source()
    settings = {"depth": 12, "cache": None}
    if is_stored:
        source = Index.build(tmp_path / "i", source, IndexEncoder("latin"))
        model = "latin"
    else:
        settings |= {"lists": 20, "probes": 1}
        model = tiny_latin
    late = Late(model, **settings).index(source)
    assert late.lists is not None
    found = late.search(query, 60)
    plain = Document.from_segments(source)
    exact = Late(model, exact=True, cache=None).index(plain).search(query, 60)
    expected = {
        cutoff: np.mean(
            [
                len(
                    {source.ids[at] for at in found.of_query(row)[0][:cutoff]}
                    & {plain.ids[at] for at in exact.of_query(row)[0][:cutoff]}
                )
                / len(exact.of_query(row)[0][:cutoff])
                for row in range(len(query))
            ]
        )
        for cutoff in (1, 60)
    }
    assert 0 < expected[60] < 1
    assert shares_of_exact(late, query, (1, 60)) == pytest.approx(expected)


def test_an_exact_search_misses_nothing(tiny_latin):
    late = Late(tiny_latin, exact=True, cache=None).index(load_example_source()[:9])
    assert shares_of_exact(late, load_example_query()[:1], (3, 9)) == {3: 1.0, 9: 1.0}
