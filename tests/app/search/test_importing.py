"""Results of a job as a search of a project: copied, checked, deleted, missing."""

import numpy as np
import pytest
from tests.app.storage.pairs.conftest import written

from locisimiles.app.judging.learning import Learning
from locisimiles.app.judging.verdicts import ChosenPairs, Judging
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.results import ResultFilter, ResultTable, exporting
from locisimiles.app.results.exporting import export_file, stored_results
from locisimiles.app.search.importing import import_pairs
from locisimiles.app.search.status import search_status
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.errors import InputError, LocisimilesError, ParameterError
from locisimiles.files.parquet_columns import write_columns


@pytest.fixture
def texts(project):
    use_example(project)
    return project


@pytest.fixture
def pairs(texts, tmp_path):
    """Return the file of a few pairs, and what writes it anew with other columns."""
    queries, sources = texts.document("query").ids, texts.document("source").ids

    def write(metadata=None, **changed):
        columns = {
            "query_id": np.array([queries[0], queries[0], queries[3]], object),
            "source_id": np.array([sources[5], sources[2], sources[9]], object),
            "rank": np.array([1, 2, 1], np.int32),
            "score": np.array([0.9, 0.4, 0.7], np.float32),
        }
        columns = {
            name: column for name, column in (columns | changed).items() if column is not None
        }
        path = tmp_path / "pairs.parquet"
        write_columns(path, columns, metadata or {})
        return path

    return write


def test_a_search_is_made_of_them(texts, pairs):
    seen = []
    number = import_pairs(
        texts, pairs(), name="all  pairs", progress=lambda *step: seen.append(step)
    )
    (search,) = StoredSearches(texts).all()
    assert (search.number, search.name, search.state, search.pairs) == (
        number, "all pairs", "done", 3,
    )  # fmt: skip
    assert not search.is_missing
    assert search_status(texts).state == "done"
    assert [row["score"] for row in ResultTable(texts.database).page().rows] == [
        pytest.approx(one) for one in (0.9, 0.4, 0.7)
    ]
    assert seen[-1] == ("storing pairs", 3, 3)


def test_the_file_is_copied_once(texts, pairs):
    path = pairs()
    number = import_pairs(texts, path)
    assert import_pairs(texts, path) == number
    path.unlink()
    assert ResultTable(texts.database).count() == 3
    assert len(list(texts.database.pairs_folder.glob("*.pairs"))) == 1


def test_a_deleted_search_takes_its_file_with_it(texts, pairs):
    StoredSearches(texts).delete(import_pairs(texts, pairs()))
    assert not list(texts.database.pairs_folder.iterdir())
    assert ResultTable(texts.database).count() == 0


def test_a_deleted_project_takes_them_with_it(texts, pairs):
    import_pairs(texts, pairs())
    folder = texts.database.pairs_folder
    texts.database.storage.delete(texts.database.user, texts.id)
    assert not folder.exists()


def test_pairs_that_are_gone_can_be_imported_again(texts, pairs):
    path = pairs()
    number = import_pairs(texts, path)
    (copy,) = texts.database.pairs_folder.glob("*.pairs")
    copy.unlink()
    (search,) = StoredSearches(texts).all()
    assert search.is_missing
    assert ResultTable(texts.database).page().total == 0
    assert import_pairs(texts, path) == number
    assert ResultTable(texts.database).page().total == 3


def test_a_damaged_copy_is_named(texts, pairs):
    import_pairs(texts, pairs())
    (copy,) = texts.database.pairs_folder.glob("*.pairs")
    copy.write_bytes(b"no pairs" * 5000)
    with pytest.raises(InputError, match="cannot be read"):
        ResultTable(texts.database).count()


@pytest.mark.parametrize("received", [False, True])
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"score": None}, "there is no column score"),
        ({"score": np.array([np.nan, 1, 1], np.float32)}, "1 pairs have no valid rank"),
        ({"rank": np.array([0, 1, 1], np.int32)}, "1 pairs have no valid rank"),
        ({"probability": np.array([0.5, 7, 0.5], np.float32)}, "1 pairs have no valid rank"),
        ({"rank": np.array(["one", "2", "3"], object)}, "damaged|one"),
        ({"query_id": np.array(["a", "b", "c"], object)}, "3 pairs have segments that the project"),
    ],
)
def test_what_is_no_pair_is_refused(texts, pairs, changed, said, received):
    with pytest.raises(LocisimilesError, match=said):
        import_pairs(texts, pairs(**changed), received=received)
    assert StoredSearches(texts).all() == []
    assert not list(texts.database.pairs_folder.iterdir())


def test_what_is_no_parquet_file_is_refused(texts, tmp_path):
    path = tmp_path / "pairs.parquet"
    path.write_bytes(b"PAR1 but nothing else")
    with pytest.raises(InputError, match=r"pairs\.parquet"):
        import_pairs(texts, path, received=True)


def test_too_many_pairs_are_refused(texts, pairs, monkeypatch):
    monkeypatch.setattr("locisimiles.app.storage.pairs.writing.MOST_PAIRS", 2)
    with pytest.raises(InputError, match="these are 3 pairs, and a project takes 2"):
        import_pairs(texts, pairs())


def test_a_project_without_texts_takes_none(project, tmp_path):
    with pytest.raises(ParameterError, match="no text"):
        import_pairs(project, tmp_path / "pairs.parquet")


@pytest.mark.parametrize(
    "manifest",
    [
        "no JSON",
        "[1]",
        '{"references": {"pairs": "x"}}',
        '{"references": 3, "base_rate": {"a": 1}}',
    ],
)
def test_a_strange_manifest_does_no_harm(texts, pairs, manifest):
    import_pairs(texts, pairs({"locisimiles": manifest}))
    assert search_status(texts).references is None
    assert export_file(texts, ".csv").count(b"\n") == 4


def test_many_verdicts_are_given_at_once_and_undone(texts, pairs):
    number = import_pairs(texts, pairs())
    judging, table = Judging(texts), ResultTable(texts.database, "Ann", number)
    rows = table.rows()
    chosen = ChosenPairs(rows[:1], search=number, all_of=ResultFilter())
    assert judging.judge_many(chosen, reader="Ann", verdict="cf.").changed == 2
    assert table.rows(ResultFilter(status="cf.")) == rows[1:]
    assert judging.judge_many(chosen, reader="Ann", verdict="cit.", only_count=True)[:3] == (
        2,
        2,
        2,
    )
    judging.undo("Ann")
    assert table.count(ResultFilter(status="judged")) == 0


def test_they_are_exported_with_verdicts(texts, pairs, monkeypatch):
    number = import_pairs(texts, pairs())
    row = ResultTable(texts.database).page().rows[2]
    Judging(texts).judge(row["query_id"], row["source_id"], reader="", verdict="cf.", note="so")
    found = stored_results(texts, search=number)
    assert [reference.kind for reference in found] == ["", "", "cf."]
    assert b"so" in export_file(texts, ".csv", ResultFilter(status="accepted"))
    monkeypatch.setattr(exporting, "_MOST_IMPORTED", 2)
    with pytest.raises(ParameterError, match="3 pairs are too many for one file"):
        export_file(texts, ".csv")
    assert export_file(texts, ".csv", ResultFilter(best=1)).count(b"\n") == 3


def test_they_learn_and_compare_nothing(texts, pairs, search):
    search(texts)
    made = texts.searched()
    number = import_pairs(texts, pairs())
    row = ResultTable(texts.database).page().rows[0]
    Judging(texts).judge(row["query_id"], row["source_id"], reader="Ann", verdict="cf.")
    with pytest.raises(ParameterError, match="were imported"):
        Learning(texts, number).learn()
    with pytest.raises(ParameterError, match="were imported"):
        StoredSearches(texts).compare(made, number)
    for one, other in ((made, number), (number, made)):
        with pytest.raises(ParameterError, match="were imported"):
            ResultTable(texts.database, search=one).count(ResultFilter(not_in=other))


def test_the_results_of_a_search_come_back_as_they_were(texts, search, tmp_path):
    search(texts)
    path = written(texts, tmp_path / "found.parquet", judged=False)
    number = import_pairs(texts, path)
    assert (
        ResultTable(texts.database, search=number).count()
        == ResultTable(texts.database, search=1).count()
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [("pairs_file", "../../../secret"), ("pairs_file", "0" * 31 + "/"), ("number", 2**45)],
)
def test_a_project_from_elsewhere_opens_no_other_file(texts, pairs, column, value):
    import_pairs(texts, pairs())
    with texts.database.writing() as connection:
        connection.execute(f"UPDATE search SET {column} = ?", [value])
    (search,) = StoredSearches(texts).all()
    assert search.is_missing
    assert ResultTable(texts.database).count() == 0
