"""What users may import, and what importing costs."""

import subprocess
import sys

import pytest

import locisimiles
import locisimiles.errors

PUBLIC = """
    BM25 Candidates ClassificationPipeline Classifier CtsUrn DatabaseError DecodingError
    Document DownloadError EmptyInputError Ensemble Evidence EvidenceFinder Index IndexEncoder
    InputError Judgement KnownReference LibraryError LocisimilesError MalformedInputError
    MissingColumnError MissingDependencyError OutputError Pairs ParameterError Pipeline
    ReadOptions ReadReport Reference Results Retriever Searcher Segment SegmentIdError Selection
    TextNotInstalledError TfIdf UnknownFormatError UnknownTextError
    UnsafeInputError load_example_ground_truth load_example_query load_example_source
    make_retriever pretty_print read_judgements read_results write_results
""".split()

HEAVY = """
    bm25s lxml numba onnxruntime openpyxl pandas pooch pyarrow requests rich scipy simplemma sklearn
    torch typer
""".split()


def test_the_public_names_are_these_and_no_others():
    assert locisimiles.__all__ == PUBLIC


def test_the_public_names_are_sorted():
    assert locisimiles.__all__ == sorted(locisimiles.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_imported_and_is_documented(name):
    assert getattr(locisimiles, name).__doc__


def test_all_errors_are_public():
    assert set(locisimiles.errors.__all__) <= set(locisimiles.__all__)


def test_importing_the_package_loads_no_heavy_library():
    code = (
        "import sys, locisimiles\n"
        f"print(*sorted({{name.partition('.')[0] for name in sys.modules}} & set({HEAVY!r})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
