"""Jobs, blocks and indexes from elsewhere, whose checksums are right and whose numbers are not.

``benchmarks/hostile_folders.py`` has more of them; ``python benchmarks/trust.py`` reads all.
"""

from contextlib import nullcontext

import pytest

from hostile_folders import FOLDER_READERS, folder_inputs
from locisimiles.errors import InputError, LocisimilesError

INPUTS = {name: (file, content) for name, file, content in folder_inputs()}
DAMAGED = [
    "a plan of blocks of nothing",
    "a plan of an endless block",
    "a plan of a billion segments",
    "a plan of no blocks",
    "a plan of a million blocks",
    "a plan of an index whose name is too long",
    "a plan of an index with a null byte",
    "a plan of a lemmatizer that is a list",
    "a block of segments that are not there",
    "a block of sources that are not there",
    "a block of scores that are none",
    "a block of probabilities beyond one",
    "a block of large numbers",
    "an index of parts elsewhere",
    "an index of parts with a null byte",
    "an index of an author that is a number",
    "an index of segments that are a text",
    "an index of too many segments",
    "an index of segments below nothing",
    "an index of shards with endless parts",
    "an index of an endless generation",
    "an index of no parts",
    "an index of arrays of a petabyte",
    "an index of arrays of objects",
    "an index of arrays beyond the end",
    "an index of arrays before the beginning",
    "an index of a deep header",
]


def use(name, folder):
    file, content = INPUTS[name]
    path = folder / file
    path.write_bytes(content())
    for read in FOLDER_READERS[path.suffix].values():
        read(path)


@pytest.mark.parametrize("name", DAMAGED)
def test_numbers_that_do_not_fit_are_an_error_of_ours(name, tmp_path):
    # A block that is not whole is done again, unless only the sources say that it is not.
    is_mended = name.startswith("a block") and name != "a block of sources that are not there"
    with nullcontext() if is_mended else pytest.raises(InputError):
        use(name, tmp_path)


@pytest.mark.parametrize("name", [
    "a query of the environment", "a query of names of files", "a query within a query",
    "a query that changes Python", "a query of a text", "a query that collects",
    "a query with half a character",
])  # fmt: skip
def test_sql_of_strangers_sees_the_results_alone(name, tmp_path):
    with pytest.raises(LocisimilesError):
        use(name, tmp_path)


def test_there_are_more_than_forty_of_each():
    suffixes = [file.rpartition(".")[2] for file, _ in INPUTS.values()]
    assert suffixes.count("job") > 40
    assert len(suffixes) > 120
