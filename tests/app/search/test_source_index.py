"""Sources of a project on disk: indexed once, whatever becomes of the folder."""

from unittest.mock import Mock

import pytest

from locisimiles import Document, Segment
from locisimiles.app.search import source_index
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.query_blocks import QueryBlocks
from locisimiles.app.search.status import request_search, search_status
from locisimiles.app.search.worker import SearchRun
from locisimiles.app.storage.tables.result_rows import stored_results_of
from locisimiles.errors import InputError
from locisimiles.late import IndexEncoder
from locisimiles.pipeline import Searcher

QUERY = Document.from_segments(
    Segment(f"q {number}", text, author="Jerome", work="Epistulae")
    for number, text in enumerate(["haesit uox faucibus", "omnia etiam tuta timeo", "arma cano"])
)
TEXTS = (
    "arma uirumque cano Troiae qui primus ab oris",
    "obstipui steteruntque comae et uox faucibus haesit",
    "omnia tuta timens",
    "in noua fert animus mutatas dicere formas corpora",
)
METHODS = ("late", "bm25")
SEARCH = QueryBlocks.search


def sources(texts, authors=("Virgil", "Ovid")):
    """Return texts of two authors in turn, so that an index has them in another order."""
    return Document.from_segments(
        Segment(f"s {number:02}", text, author=authors[number % len(authors)], locus=str(number))
        for number, text in enumerate(texts)
    )


@pytest.fixture(autouse=True)
def all_are_indexed(monkeypatch, tmp_path):
    monkeypatch.setattr(source_index, "_LEAST", 1)
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def encoded(monkeypatch):
    """Return the texts that were encoded for an index."""
    texts, encode = [], IndexEncoder.encode

    def recording(self, some, progress):
        texts.extend(some)
        return encode(self, some, progress)

    monkeypatch.setattr(IndexEncoder, "encode", recording)
    return texts


@pytest.fixture
def filled(project):
    project.set_texts("query", (), QUERY)
    project.set_texts("source", (), sources(TEXTS))
    return project


def found(project, method="late"):
    """Search, and return the rows that are stored."""
    number = request_search(project, SearchParameters(method, k=3), reuse=False)
    SearchRun(project, number).run()
    with project.database.reading() as connection:
        return [tuple(row) for row in stored_results_of(connection, number, 0, len(QUERY))]


@pytest.mark.parametrize("method", METHODS)
def test_results_are_those_of_the_texts_themselves(filled, monkeypatch, method):
    indexed = found(filled, method)
    folder = filled.database.index_folder
    assert folder.is_dir()
    with monkeypatch.context() as patched:
        patched.setattr(source_index.SourceIndex, "is_used", property(lambda _: False))
        assert found(filled, method) == indexed != []
    positions = {row[1]: row[9] for row in indexed}  # of sources in the project: their ids
    assert positions == {at: f"s {at:02}" for at in positions}


def test_a_second_search_encodes_no_source(filled, encoded):
    first = found(filled)
    assert sorted(encoded) == sorted(TEXTS)
    encoded.clear()
    assert found(filled) == first
    assert encoded == []
    found(filled, "bm25")  # reads the same index
    assert [path.name for path in filled.database.index_folder.iterdir()] == ["vectors"]


def test_only_changed_works_are_encoded_and_facts_are_those_of_today(filled, encoded):
    found(filled)
    encoded.clear()
    new = "forsan et haec olim meminisse iuuabit"
    more = [*sources(TEXTS), Segment("t 1", new, author="Lucan")]
    filled.set_texts("source", (), Document.from_segments(more))
    assert any("t 1" in row for row in found(filled))
    assert encoded == [new]
    filled.set_texts("source", (), sources(TEXTS, ("Vergil", "Ovid")))
    authors = {row[12] for row in found(filled)}
    assert "Vergil" in authors
    assert "Virgil" not in authors


def test_a_damaged_index_is_made_again(filled, encoded):
    first = found(filled)
    for path in (filled.database.index_folder / "vectors").rglob("*.arrays"):
        path.write_bytes(path.read_bytes()[:100])
    encoded.clear()
    assert found(filled) == first
    assert len(encoded) == len(TEXTS)


def test_damage_that_a_search_meets_ends_it_and_the_next_one_begins_afresh(
    filled, encoded, monkeypatch
):
    first = found(filled)
    encoded.clear()
    damage = InputError("files.damaged", file="a shard")
    with monkeypatch.context() as patched:
        patched.setattr(Searcher, "block", Mock(side_effect=damage))
        with pytest.raises(InputError, match="damaged"):
            found(filled)
    assert search_status(filled).state == "failed"
    assert encoded == []
    assert found(filled) == first
    assert len(encoded) == len(TEXTS)


def test_without_a_place_for_it_the_texts_are_searched(filled, encoded):
    folder = filled.database.index_folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_bytes(b"")  # no folder
    first = found(filled)
    assert first
    assert encoded == []
    folder.unlink()
    assert found(filled) == first
    assert encoded


def test_an_index_of_other_texts_is_not_believed(filled):
    first = found(filled)
    folder = filled.database.index_folder
    edition = (folder / "vectors" / ".edition").read_text()
    filled.set_texts("source", (), sources(TEXTS[:2]))
    assert found(filled) != first
    (folder / "vectors" / ".edition").write_text(edition)
    filled.set_texts("source", (), sources(TEXTS))
    assert found(filled) == first


def test_it_goes_with_its_project(filled, projects):
    found(filled)
    folder = filled.database.index_folder
    assert folder.is_dir()
    projects.delete(filled.id)
    assert not folder.exists()


def test_results_found_without_an_index_are_not_mixed_with_its_own(filled, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(source_index.SourceIndex, "is_used", property(lambda _: False))
        found(filled)
    texts = [*QUERY]
    searched = []

    def recording(self, begin, end):
        searched.append(end - begin)
        return SEARCH(self, begin, end)

    monkeypatch.setattr(QueryBlocks, "search", recording)
    for name, expected in (("q 8", 4), ("q 9", 1)):  # all by the index; then what is new
        texts.append(Segment(name, f"tempus edax {name}", author="Jerome", work="Epistulae"))
        filled.set_texts("query", (), Document.from_segments(texts))
        searched.clear()
        SearchRun(filled, request_search(filled, SearchParameters("late", k=3))).run()
        assert sum(searched) == expected
