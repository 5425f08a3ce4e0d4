"""Parts of an index that others make, and the index that joins them."""

import importlib.util

import pytest

from locisimiles import Index
from locisimiles.errors import OutputError, ParameterError
from locisimiles.examples import example_path
from locisimiles.index.changes import build_index, write_parts
from locisimiles.jobs import IndexPlan, make_parts, make_parts_in_cluster, open_cluster
from locisimiles.progress import silent


@pytest.fixture
def texts(tmp_path):
    """Return five texts of unequal length, each a work."""
    paths = []
    for number, lines in enumerate((60, 3, 30, 20, 10)):
        path = tmp_path / f"work{number}.csv"
        rows = [f"{number}.{n},arma uirumque cano {n} uox,Vergil,{number}" for n in range(lines)]
        path.write_text("\n".join(["seg_id,text,author,work", *rows]), encoding="utf-8")
        paths.append(str(path))
    return tuple(paths)


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def whole(plan, folder):
    from locisimiles import Document

    build_index(folder, Document(*plan.texts), plan.encoder(), progress=silent)
    return contents(folder)


@pytest.mark.parametrize("model", [None, "latin"])
def test_parts_made_by_others_are_joined_to_the_same_index(tmp_path, texts, model):
    plan = IndexPlan(str(tmp_path / "shared"), texts, model)
    # In any order, some twice, and one left to the build.
    assert [make_parts(plan, (number, 4)) for number in (3, 1, 3)] == [1, 1, 0]
    parts = list((tmp_path / "shared/parts").iterdir())
    assert len(parts) == 2
    before = {path: path.stat().st_ino for path in parts}
    assert whole(plan, tmp_path / "shared") == whole(plan, tmp_path / "alone")
    assert {path: path.stat().st_ino for path in parts} == before
    assert len(Index.open(tmp_path / "shared")) == 123


def test_shares_are_of_similar_size(tmp_path, texts):
    plan = IndexPlan(str(tmp_path / "shared"), texts, None)
    assert [make_parts(plan, (number, 2)) for number in (1, 2)] == [1, 4]
    assert [make_parts(plan, (number, 2)) for number in (1, 2)] == [0, 0]


def test_parts_are_not_added_to_an_index(tmp_path, texts):
    plan = IndexPlan(str(tmp_path / "index"), texts, None)
    whole(plan, tmp_path / "index")
    with pytest.raises(OutputError, match="already"):
        make_parts(plan, (1, 2))
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/letter.txt").touch()
    with pytest.raises(OutputError, match="other files"):
        make_parts(IndexPlan(str(tmp_path / "letters"), texts, None), (1, 2))


def test_a_share_is_a_part_of_the_whole(tmp_path, texts):
    from locisimiles import Document

    for share in ((0, 2), (3, 2)):
        with pytest.raises(ParameterError, match="part"):
            write_parts(tmp_path / "index", Document(*texts), None, share)


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("distributed"), reason="Dask is not installed")
def test_workers_make_parts(tmp_path, monkeypatch):
    monkeypatch.chdir(example_path("source.csv").parent)
    plan = IndexPlan(str(tmp_path / "shared"), ("source.csv",), "latin")
    with open_cluster("local:2") as cluster:
        assert make_parts_in_cluster(plan, cluster, shares=3) > 1
    assert whole(plan, tmp_path / "shared") == whole(plan, tmp_path / "alone")
