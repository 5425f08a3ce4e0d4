"""Networks of Parquet files are those of all their rows."""

import pytest

from locisimiles import (
    Pipeline,
    load_example_query,
    load_example_source,
    read_results,
    write_results,
)
from locisimiles.classify.selection import Selection
from locisimiles.export import read_references
from locisimiles.networks import count_citations


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return files of judged and of other results, with many pairs that are no references."""
    folder, texts = tmp_path_factory.mktemp("files"), (load_example_query(), load_example_source())
    judged = Pipeline("bm25", depth=20, selection=Selection(threshold=0.0)).run(*texts)
    others = Pipeline("bm25", k=20).run(*texts)
    for name, results in (("judged", judged), ("others", others)):
        for suffix in (".parquet", ".csv"):
            write_results(results, folder / f"{name}{suffix}")
    return folder


@pytest.mark.parametrize("name", ["judged", "others"])
@pytest.mark.parametrize(
    ("minimum", "best"), [(None, None), (0.2, None), (None, 2), (0.1, 3), (-1.0, 2)]
)
def test_leaving_out_what_is_no_reference_changes_no_network(files, name, minimum, best):
    path, choice = files / f"{name}.parquet", {"minimum": minimum, "best": best}
    some, whole = read_references(path, **choice), read_results(path)
    ours, theirs = (count_citations(one, **choice) for one in (some, whole))
    assert list(ours.links()) == list(theirs.links())
    assert some.manifest == whole.manifest
    if minimum is None or name == "judged":
        assert len(some) < len(whole)


def test_other_files_are_read_whole(files):
    assert len(read_references(files / "judged.csv")) == len(read_results(files / "judged.csv"))
