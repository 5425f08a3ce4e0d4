"""Whose works make up the benchmark."""

from locisimiles.benchmark.report.paper import paper_corpus
from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS, works_by
from locisimiles.corpus.library import Catalogue


def test_the_authors_are_those_of_the_paper():
    for side, authors in (("query", QUERY_AUTHORS), ("source", SOURCE_AUTHORS)):
        assert authors == tuple(r.author for r in paper_corpus() if r.side == side and r.author)


def test_works_of_the_paper_only():
    names = [work.name for work in works_by(SOURCE_AUTHORS, Catalogue.shipped())]
    assert "statius.thebaid" in names
    assert not {"statius.silvae", "statius.achilleid", "jerome.epistulae"} & set(names)
