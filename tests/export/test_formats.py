"""Results as files: what is in them, and that they appear whole or not at all."""

import csv
import errno
import io
import json
import os
import stat
import subprocess
import sys

import pytest

from locisimiles import (
    BM25,
    Document,
    OutputError,
    Pipeline,
    Segment,
    load_example_query,
    load_example_source,
    make_retriever,
    write_results,
)
from locisimiles.export import EXPORT_SUFFIXES, check_output, formats
from locisimiles.export.tables import TABLE_SHA256
from locisimiles.files import writing
from locisimiles.files.hashing import file_sha256
from locisimiles.files.writing import atomic

COLUMNS = """
    query_id source_id rank score shared query_author query_work query_locus query_text
    source_author source_work source_locus source_text
    """.split()
HOSTILE = [
    "arma\nuirum",
    "arma\r\nuirum",
    "arma\tuirum",
    "arma \"uirum\", 'cano'",
    '"arma',
    "=cmd() arma",
    "+arma",
    "@SUM(A1) arma",
    "arma \u202e\u05e9\u05dc\u05d5\u05dd",
    "arma 🏛️ 👩‍👩‍👧",
    "arma \x1b[31m \x00 \x7f",
    "arma \u2028 \u2029 \x85",
    "arma \ufeff \\n \\",
    "arma </script> {{ }} %s",
    " arma ",
]


def csv_quotes_returns():
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(["\r"])
    return stream.getvalue() == '"\r"\n'


def search(texts):
    """Search texts, each in all its columns, in themselves."""
    document = Document.from_segments(
        Segment(f"{n} {text}", text, author=text, work=f"work {text}", locus=f"1.{n}")
        for n, text in enumerate(texts)
    )
    return Pipeline(make_retriever("bm25-surface"), k=3).run(query=document, source=document)


def expected(results):
    return [
        {
            "query_id": reference.query.id,
            "source_id": reference.source.id,
            "rank": reference.rank,
            "score": round(reference.score, 4),
            "shared": " ".join(reference.shared),
            "query_author": reference.query.author,
            "query_work": reference.query.work,
            "query_locus": reference.query.locus,
            "query_text": reference.query.text,
            "source_author": reference.source.author,
            "source_work": reference.source.work,
            "source_locus": reference.source.locus,
            "source_text": reference.source.text,
        }
        for reference in results
    ]


def as_text(rows):
    return [{name: str(value) for name, value in row.items()} for row in rows]


def read_table(path, delimiter):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter=delimiter, strict=True))


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def listing(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(scope="module")
def results():
    return Pipeline(BM25(), k=3).run(query=load_example_query(), source=load_example_source())


@pytest.fixture(scope="module")
def hostile():
    return search(HOSTILE)


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
@pytest.mark.parametrize("given", ["results", "hostile"])
def test_a_table_holds_every_column_as_it_was(tmp_path, request, given, suffix, delimiter):
    found = request.getfixturevalue(given)
    path, _ = write_results(found, tmp_path / f"hits{suffix}")
    rows = read_table(path, delimiter)
    assert list(rows[0]) == COLUMNS
    assert rows == as_text(expected(found))


@pytest.mark.parametrize("given", ["results", "hostile"])
def test_json_lines_hold_every_column_as_it_was(tmp_path, request, given):
    found = request.getfixturevalue(given)
    path, _ = write_results(found, tmp_path / "hits.jsonl")
    lines = path.read_bytes().decode("utf-8").split("\n")
    assert lines.pop() == ""
    assert "\r" not in "".join(lines)
    assert [json.loads(line) for line in lines] == expected(found)


@pytest.mark.parametrize("given", ["results", "hostile"])
def test_json_holds_manifest_and_references(tmp_path, request, given):
    found = request.getfixturevalue(given)
    (path,) = write_results(found, tmp_path / "hits.json")
    assert read_json(path) == {"manifest": found.manifest, "references": expected(found)}


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_a_lone_return_does_not_break_a_table(tmp_path, suffix, delimiter):
    found = search(["arma\ruirum"])
    path, _ = write_results(found, tmp_path / f"hits{suffix}")
    assert read_table(path, delimiter) == as_text(expected(found))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_a_table_is_accompanied_by_its_manifest(tmp_path, results, suffix):
    table = tmp_path / f"hits{suffix}"
    manifest = tmp_path / f"hits{suffix}.manifest.json"
    assert write_results(results, table) == [table, manifest]
    known = {TABLE_SHA256: file_sha256(table)}
    assert read_json(manifest) == {**results.manifest, **known}


def test_json_has_no_manifest_beside_it(tmp_path, results):
    assert write_results(results, tmp_path / "hits.json") == [tmp_path / "hits.json"]
    assert listing(tmp_path) == ["hits.json"]


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_no_candidates_give_a_table_with_only_a_header(tmp_path, suffix, delimiter):
    path, _ = write_results(search([]), tmp_path / f"hits{suffix}")
    assert list(csv.reader([path.read_text(encoding="utf-8")], delimiter=delimiter)) == [COLUMNS]


def test_no_candidates_give_json_without_references(tmp_path):
    found = search([])
    jsonl, _ = write_results(found, tmp_path / "hits.jsonl")
    (json_file,) = write_results(found, tmp_path / "hits.json")
    assert jsonl.read_bytes() == b""
    assert read_json(json_file)["references"] == []


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_the_same_search_gives_the_same_bytes(tmp_path, suffix):
    written = []
    for name in ("one", "two"):
        found = Pipeline(BM25(), k=3).run(query=load_example_query(), source=load_example_source())
        files = write_results(found, tmp_path / f"{name}{suffix}")
        written.append([path.read_bytes() for path in files])
    assert written[0] == written[1]


@pytest.mark.parametrize("retriever", ["", "BM25()"], ids=["default", "bm25"])
def test_the_same_search_gives_the_same_bytes_in_another_process(tmp_path, retriever):
    code = (
        "from locisimiles import *\n"
        "query, source = load_example_query(), load_example_source()\n"
        f"found = Pipeline({retriever}).run(query=query, source=source)\n"
        "[write_results(found, f'hits{s}') for s in ('.csv', '.tsv', '.json', '.jsonl')]\n"
    )
    written = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, check=True)
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1]
    assert len(written[0]) == 7


@pytest.mark.parametrize("suffix", [".CSV", ".Json"])
def test_a_suffix_may_be_in_capitals(tmp_path, results, suffix):
    assert write_results(results, tmp_path / f"hits{suffix}")[0].stat().st_size > 0


@pytest.mark.parametrize("name", ["hits.docx", "hits", "hits.csv.gz", ".csv"])
def test_an_unknown_suffix_is_refused_with_a_list_of_choices(tmp_path, results, name):
    with pytest.raises(OutputError) as caught:
        write_results(results, tmp_path / name)
    assert str(caught.value) == (
        f"{tmp_path / name} has an unknown suffix; use one of .csv, .tsv, .json, "
        ".jsonl, .xlsx, .parquet, .html, .xml, .jsonld, .graphml, .trec, .bib"
    )
    assert listing(tmp_path) == []


def test_other_suffixes_can_be_allowed(tmp_path):
    assert check_output(tmp_path / "a.txt", suffixes=(".txt",)) == tmp_path / "a.txt"


def test_a_missing_folder_is_refused(tmp_path, results):
    with pytest.raises(OutputError) as caught:
        write_results(results, tmp_path / "new" / "hits.csv")
    assert str(caught.value) == f"there is no folder {tmp_path / 'new'}; create it first"


def test_an_existing_file_is_not_replaced(tmp_path, results):
    path = tmp_path / "hits.csv"
    path.write_text("mine")
    with pytest.raises(OutputError, match=r"hits\.csv already exists; .* --overwrite$"):
        write_results(results, path)
    assert path.read_text() == "mine"
    assert listing(tmp_path) == ["hits.csv"]


def test_an_existing_file_is_replaced_with_overwrite(tmp_path, results):
    path = tmp_path / "hits.csv"
    path.write_text("mine")
    write_results(results, path, overwrite=True)
    assert read_table(path, ",") == as_text(expected(results))
    assert listing(tmp_path) == ["hits.csv", "hits.csv.manifest.json"]


def test_an_existing_manifest_is_not_replaced(tmp_path, results):
    manifest = tmp_path / "hits.csv.manifest.json"
    manifest.write_text("mine")
    with pytest.raises(OutputError, match="already exists"):
        write_results(results, tmp_path / "hits.csv")
    assert manifest.read_text() == "mine"


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("old", [None, "mine"])
def test_a_failure_while_writing_changes_nothing(tmp_path, monkeypatch, results, interruption, old):
    def break_off(_, stream):
        stream.write("query_id,")
        stream.flush()
        raise interruption

    monkeypatch.setitem(formats.FORMATS, ".csv", formats.Format(break_off))
    path = tmp_path / "hits.csv"
    if old:
        path.write_text(old)
    with pytest.raises(interruption):
        write_results(results, path, overwrite=True)
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == ({"hits.csv": old} if old else {})


def test_a_full_disk_is_an_output_error(tmp_path, monkeypatch, results):
    def fill_disk(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(formats.FORMATS, ".csv", formats.Format(fill_disk))
    with pytest.raises(OutputError, match="No space left on device"):
        write_results(results, tmp_path / "hits.csv")


def test_a_read_only_folder_is_an_output_error(tmp_path, monkeypatch, results):
    def refuse_new(path, flags, *more, **options):
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_file(path, flags, *more, **options)

    open_file = os.open
    monkeypatch.setattr(writing.os, "open", refuse_new)
    with pytest.raises(OutputError, match=r"hits\.csv cannot be written: Permission denied$"):
        write_results(results, tmp_path / "hits.csv")


def test_a_folder_in_the_place_of_the_file_is_an_output_error(tmp_path, results):
    (tmp_path / "hits.csv").mkdir()
    with pytest.raises(OutputError):
        write_results(results, tmp_path / "hits.csv", overwrite=True)


def test_no_temporary_file_is_left_if_replacing_fails(tmp_path):
    (tmp_path / "hits.csv").mkdir()
    with pytest.raises((OSError, OutputError)), atomic(tmp_path / "hits.csv") as stream:
        stream.write("new")
    assert listing(tmp_path) == ["hits.csv"]


def test_a_name_that_is_too_long_is_an_output_error(tmp_path):
    with pytest.raises(OutputError):
        check_output(tmp_path / f"{'a' * 300}.csv")


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "hits.csv"
    path.write_text("old")
    with atomic(path) as stream:
        stream.write("new")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_files_get_the_permissions_of_new_files(tmp_path, results, umask, mode):
    before = os.umask(umask)
    try:
        files = write_results(results, tmp_path / "hits.csv")
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [mode, mode]
