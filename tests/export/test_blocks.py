"""Results that are written block by block."""

import numpy as np
import pytest

from locisimiles import BM25, OutputError, Pipeline, load_example_query, load_example_source
from locisimiles.evidence import EvidenceFinder
from locisimiles.export import EXPORT_SUFFIXES, explain_blocks, explain_results, write_blocks
from locisimiles.export import explained as explaining
from locisimiles.export.formats import write_results
from locisimiles.results import Results

QUERY = load_example_query()[:9]


@pytest.fixture(scope="module")
def searcher():
    return Pipeline(BM25(), k=3).prepare(load_example_source())


def contents(paths):
    return [path.read_bytes() for path in paths]


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_every_format_has_the_same_bytes_in_blocks(tmp_path, searcher, suffix):
    whole = write_results(searcher.run(QUERY), tmp_path / f"whole{suffix}")
    blocks = write_blocks(searcher.blocks(QUERY, 2), tmp_path / f"blocks{suffix}")
    assert [path.name.replace("blocks", "whole") for path in blocks] == [p.name for p in whole]
    if suffix != ".xlsx":  # a workbook says when it was made
        assert contents(blocks) == contents(whole)


def test_blocks_are_written_as_they_come(tmp_path, searcher):
    path, sizes = tmp_path / "hits.csv", []

    def watched():
        for block in searcher.blocks(QUERY, 1):
            yield block
            sizes.extend(one.stat().st_size for one in tmp_path.iterdir())

    write_blocks(watched(), path)
    assert len(sizes) == len(QUERY)  # the temporary file alone
    assert path.read_text(encoding="utf-8").count("\n") == 1 + len(searcher.run(QUERY))


def test_a_search_that_fails_leaves_the_old_file(tmp_path, searcher):
    path = tmp_path / "hits.csv"
    path.write_text("old", encoding="utf-8")

    def failing():
        yield next(searcher.blocks(QUERY, 2))
        raise OutputError("files.no_folder", folder="x")

    with pytest.raises(OutputError, match="x"):
        write_blocks(failing(), path, overwrite=True)
    assert [one.name for one in tmp_path.iterdir()] == ["hits.csv"]
    assert path.read_text(encoding="utf-8") == "old"


def test_blocks_are_explained_as_the_whole_and_texts_are_read_once(searcher, monkeypatch):
    whole = explain_results(searcher.run(QUERY))
    made = []

    class Counted(EvidenceFinder):
        def __init__(self, *texts, **options):
            made.append(1)
            super().__init__(*texts, **options)

    monkeypatch.setattr(explaining, "EvidenceFinder", Counted)
    blocks = Results.join(explain_blocks(searcher.blocks(QUERY, 2)))
    assert len(made) == 1
    assert blocks.explanations == whole.explanations
    assert blocks.alignments == whole.alignments
    assert np.array_equal(blocks.candidates.rank, whole.candidates.rank)
