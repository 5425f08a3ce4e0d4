"""Weights of clues to verses, learnt from references."""

import numpy as np
import pytest

from locisimiles import BM25, Document, ParameterError, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.learn.verses import citation_counts, learn_verses

AUTHORS = ("Ambrosius", "Hilarius", "Tertullianus")
VERSES = 6


class Undecided:
    """Gives every pair the same probability."""

    def probabilities(self, pairs):
        return np.tile(np.array([0.9, 0.05, 0.05], np.float32), (len(pairs), 1))


def training(work="Matth."):
    """Return verses with the same words, of which only the third is ever noted."""
    source = Document.from_segments(
        Segment(f"v{n}", "beati pauperes spiritu", "Vulgata", work, f"5.{n + 1}")
        for n in range(VERSES)
    )
    query = Document.from_segments(
        Segment(f"{author}{n}", "beati, inquit, pauperes", author)
        for author in AUTHORS
        for n in range(4)
    )
    references = References.from_columns(range(len(query)), [2] * len(query), [1] * len(query))
    return Benchmark(query, source, references, name="small")


def noted(*authors):
    return {author: {("Matth.", "5.3"): 4} for author in authors}


def learnt(authors, set_=None):
    set_ = set_ or training()
    return learn_verses(set_, noted(*authors), BM25().index(set_.source), Undecided())


def test_notes_of_others_count():
    assert learnt(AUTHORS).often > 1
    assert learnt(AUTHORS).counts == {"Matth.": {5: [0, 0, 12]}}
    assert learnt(AUTHORS).authors == AUTHORS


def test_the_notes_of_an_author_do_not_count_for_their_own_texts():
    one = training()
    rows = [row for row, author in enumerate(one.query.authors) if author == "Hilarius"]
    own = Benchmark(
        one.query.select(rows),
        one.source,
        References.from_columns(range(len(rows)), [2] * len(rows), [1] * len(rows)),
        name="own",
    )
    assert learnt(["Hilarius", "Ambrosius"], own).often > 1
    assert learnt(["Hilarius"], own).often < 1


def test_a_source_without_verses_is_an_error():
    with pytest.raises(ParameterError, match="no verses"):
        learnt(AUTHORS, training("Aeneis"))


def test_counts_by_chapter():
    counted = {
        "Ambrosius": {("Mt", "5.3"): 2, ("Mt", "4.1"): 1},
        "Hilarius": {("Matth.", "5.3"): 1, ("Ioan.", "1.2"): 4},
    }
    assert citation_counts(counted) == {
        "Ioh.": {1: [0, 4]},
        "Matth.": {4: [1], 5: [0, 0, 3]},
    }
    assert citation_counts(counted, without=["Ambrosius"]) == {
        "Ioh.": {1: [0, 4]},
        "Matth.": {5: [0, 0, 1]},
    }
    assert citation_counts(counted, without=counted) == {}
