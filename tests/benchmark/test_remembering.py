"""Sources that are prepared only once."""

from locisimiles import BM25, Document, Segment
from locisimiles.benchmark.remembering import Remembering

SOURCE = Document.from_segments([Segment("a", "arma"), Segment("b", "uirumque")])


class Counting:
    """BM25 that counts how often it prepares sources."""

    def __init__(self):
        self.prepared = 0

    def parameters(self):
        return {"name": "counting"}

    def index(self, source, **options):
        self.prepared += 1
        return BM25().index(source, **options)


def test_the_same_sources_are_prepared_once():
    counting = Counting()
    remembering = Remembering(counting)
    same = Document.from_segments(list(SOURCE))
    assert remembering.index(SOURCE) is remembering.index(same)
    assert counting.prepared == 1


def test_other_sources_are_prepared_anew():
    counting = Counting()
    remembering = Remembering(counting)
    remembering.index(SOURCE)
    other = remembering.index(Document.from_segments([Segment("a", "arma"), Segment("b", "uox")]))
    assert counting.prepared == 2
    query = Document.from_segments([Segment("q", "uox")])
    assert other.search(query, 1).source.tolist() == [1]


def test_it_is_described_as_what_it_remembers():
    assert Remembering(Counting()).parameters() == {"name": "counting"}
