"""The words of pairs, compared together, are as compared one by one."""

import numpy as np

from locisimiles import Document, load_example_query, load_example_source
from locisimiles.evidence import Aligner
from locisimiles.evidence.pair_words import pair_words
from locisimiles.evidence.parallels import parallel_rows
from locisimiles.index import PreparedDocument


def test_pairs_are_grouped_and_compared():
    query, source = load_example_query(), load_example_source()
    query_rows = np.repeat([1, 4, 7], 12)
    source_rows = np.tile(np.arange(0, 36, 3), 3)
    found = pair_words(query, source, query_rows, source_rows, group=True)
    texts = [source.texts[row] for row in source_rows.tolist()]
    assert found.best.tolist() == parallel_rows(query_rows, texts).tolist()
    aligned = Aligner().align([query.texts[row] for row in query_rows.tolist()], texts)
    assert found.shared == [alignment.lemmas for alignment in aligned]
    assert pair_words(query, source, query_rows, source_rows, group=False).best is None


def test_equal_texts_are_one_text():
    source = Document.from_texts(["arma uirumque", "et", "arma uirumque"])
    rows = np.zeros(3, int), np.arange(3)
    found = pair_words(source, source, *rows, group=True)
    assert found.best.tolist() == [0, 1, 0]
    assert found.shared == [("arma", "uir"), (), ("arma", "uir")]


def test_texts_that_were_just_cut_into_words_are_not_cut_again(monkeypatch):
    source = PreparedDocument(load_example_source())
    rows = np.array([3, 5, 8])
    part = source.part(rows)
    monkeypatch.setattr("locisimiles.index.documents.TextPart.of", None)
    assert source.part(np.array([3, 5, 8])) is part
