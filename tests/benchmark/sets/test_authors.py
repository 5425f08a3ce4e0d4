"""The authors and works of the benchmark."""

from locisimiles.benchmark.report.set_sizes import paper_corpus_sizes
from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS, works_by
from locisimiles.corpus.library import Catalogue


def test_the_authors_are_those_of_the_paper():
    for side, authors in (("query", QUERY_AUTHORS), ("source", SOURCE_AUTHORS)):
        rows = [row for row in paper_corpus_sizes() if row.side == side]
        assert authors == tuple(row.author for row in rows if row.author)


def test_works_of_the_paper_only():
    names = [work.name for work in works_by(SOURCE_AUTHORS, Catalogue.shipped())]
    assert "statius.thebaid" in names
    assert not {"statius.silvae", "statius.achilleid", "jerome.epistulae"} & set(names)
