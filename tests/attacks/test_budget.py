"""Small files that ask for much memory or time: a right result or a clear error in both."""

import io
import os
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from locisimiles.app.projects.inputs import _LIMITS
from locisimiles.corpus import Document
from locisimiles.errors import InputError, ParameterError, UnsafeInputError
from locisimiles.export import read_results, write_results
from locisimiles.files.arrays import load_arrays
from locisimiles.files.json_files import read_json
from locisimiles.files.limits import VARIABLE, Limits, current_limits, limited
from locisimiles.files.tables import read_table
from locisimiles.files.weights import read_weights
from measured import measured

SECONDS, MEGABYTES = 10, 1000
RESULTS = "query_id,source_id,score\na,b,1\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is told by Linux")


def one_text(rows=3000, letters=1_000_000):
    ids = pa.array([str(row) for row in range(rows)])
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows), pa.array(["a" * letters]))
    table = {"id": ids, "query_id": ids, "source_id": ids, "score": [1.0] * rows, "text": text}
    return lambda path: pq.write_table(pa.table(table), path, compression="zstd")


def many_columns(rows, columns):
    names = ",".join(f"c{number}" for number in range(columns))
    return lambda path: path.write_text(
        f"id,text,query_id,source_id,score,{names}\n"
        + "".join(f"{row},arma,{row},{row},1\n" for row in range(rows))
    )


def new_keys(rows):
    def write(path):
        path.write_text(
            "".join(
                f'{{"id": {n}, "text": "arma", "query_id": 1, "source_id": {n}, "k{n}": 1}}\n'
                for n in range(rows)
            )
        )

    return write


def many_values(path):
    path.write_text('{"id": 1, "text": "arma", "x": [' + "[]," * 20_000_000 + "[]]}")


def fewer_values(path):
    path.write_text('{"id": 1, "text": "arma", "x": [' + "[]," * 7_900_000 + "[]]}")


def far_cells(rows):
    def write(path):
        book = Workbook(write_only=True)
        sheet = book.create_sheet()
        sheet.append(["id", "text", "query_id", "source_id", "score"])
        for row in range(rows):
            sheet.append([row, "arma", row, row, 1, *[None] * 16_000, "x"])
        book.save(path)

    return write


def zipped(name, megabytes, times=1):
    def write(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(times):
                # Half of it is noise, so that no member is packed suspiciously well.
                data = os.urandom(megabytes * 5000).hex().encode() + b"a" * (megabytes * 990_000)
                archive.writestr(f"{number}{name}", data)

    return write


ROWS = "query_id,source_id,score\n" + "".join(f"q{n},s{n},1\n" for n in range(4))


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_long_tables_are_refused_with_the_way_to_read_them(tmp_path, suffix, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text(ROWS)
    results = read_results(path)
    path = tmp_path / f"b{suffix}"
    write_results(results, path)
    for read in (read_table, read_results):
        with limited(Limits(rows=3)), pytest.raises(UnsafeInputError) as caught:
            read(path)
        assert "locisimiles query" in str(caught.value)
        assert "LOCISIMILES_LIMITS=rows=" in str(caught.value)
    with limited(Limits(rows=4)):
        assert len(read_results(path)) == len(read_table(path).rows) == 4
    monkeypatch.setenv("LOCISIMILES_LIMITS", "rows=3")
    with pytest.raises(UnsafeInputError):
        read_results(path)


def test_a_document_may_have_more_segments_than_a_table_rows(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n" + "".join(f"{n},arma\n" for n in range(9)))
    with limited(Limits(rows=3)):
        assert len(Document(path)) == 9


READ = {"texts": Document, "table": read_table, "results": read_results}
BOMBS = {
    "one text in Parquet": ("a.parquet", one_text(), ["table", "results"]),
    "20,000 columns": ("a.csv", many_columns(6000, 20_000), ["texts", "table", "results"]),
    "a million columns": ("a.csv", many_columns(20, 1_000_000), ["texts", "table", "results"]),
    "many columns, short rows": ("a.csv", many_columns(980, 16_000), ["texts", "table", "results"]),
    "new keys": ("a.jsonl", new_keys(20_000), ["texts", "table", "results"]),
    "empty lists": ("a.jsonl", many_values, ["texts", "table", "results"]),
    "fewer empty lists": ("a.jsonl", fewer_values, ["texts", "table", "results"]),
    "far cells": ("a.xlsx", far_cells(3000), ["texts", "results"]),
    "a packed text": ("a.zip", zipped(".txt", 150), ["texts"]),
    "packed texts": ("a.zip", zipped(".txt", 1, 300), ["texts"]),
}
_SLOW = {(name, reader) for name in ("empty lists", "fewer empty lists") for reader in READ}
_SLOW |= {("many columns, short rows", reader) for reader in READ}  # ten seconds each
CASES = [
    pytest.param(name, reader, marks=[pytest.mark.slow] if (name, reader) in _SLOW else [])
    for name, (_, _, readers) in BOMBS.items()
    for reader in readers
]


@pytest.fixture(scope="module")
def bombs(tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("bombs"), {}

    def bomb(name):
        if name not in made:
            file, write, _ = BOMBS[name]
            made[name] = folder / name / file
            made[name].parent.mkdir()
            write(made[name])
        return made[name]

    return bomb


@pytest.mark.parametrize(("name", "reader"), CASES)
def test_a_small_file_takes_little_memory_and_time(bombs, name, reader):
    path = bombs(name)
    took = measured(lambda: READ[reader](path), seconds=SECONDS, megabytes=MEGABYTES)
    assert took.end in ("result", "error"), took
    assert took.megabytes < MEGABYTES, took


@pytest.mark.parametrize("name", ["20,000 columns", "new keys", "far cells", "packed texts"])
def test_the_app_reads_with_less(bombs, name):
    def read():
        with limited(_LIMITS):
            Document(bombs(name))

    took = measured(read, seconds=SECONDS, megabytes=MEGABYTES)
    assert took.end in ("result", "error"), took
    assert took.megabytes < MEGABYTES // 2, took


def test_arrays_of_nothing_are_refused(tmp_path):
    stream = io.BytesIO()
    np.savez_compressed(stream, a=np.zeros(90_000_000, np.uint8))
    (tmp_path / "a.npz").write_bytes(stream.getvalue())
    with pytest.raises(UnsafeInputError, match=rf"times its size.*{VARIABLE}=expansion"):
        load_arrays(tmp_path / "a.npz")


def test_standard_input_has_an_end(monkeypatch):
    with Path("/dev/zero").open("rb") as endless:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless))
        with (
            limited(Limits(bytes=1_000_000)),
            pytest.raises(UnsafeInputError, match=f"<stdin>: the file is too large.*{VARIABLE}"),
        ):
            Document("-")


@pytest.fixture(params=["pipe", "device"])
def endless(request):
    """Make something that is no file and never ends."""

    def endless(path):
        if request.param == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")
        return path

    return endless


@pytest.mark.usefixtures("must_end")
def test_a_manifest_that_is_no_file_is_not_read(tmp_path, endless):
    (tmp_path / "a.csv").write_text(RESULTS)
    endless(tmp_path / "a.csv.manifest.json")
    took = measured(lambda: read_results(tmp_path / "a.csv"), seconds=2, megabytes=100)
    assert took.end in ("result", "error"), took


@pytest.mark.parametrize(
    "read", [read_json, load_arrays, lambda path: read_weights(path, str, command="x")]
)
def test_what_is_no_file_is_not_read(tmp_path, endless, read):
    path = endless(tmp_path / "a")
    took = measured(lambda: read(path), seconds=2, megabytes=100)
    assert took.end == "error", took


def test_marks_upon_one_letter_are_limited(attack):
    with pytest.raises(UnsafeInputError, match=f"more than 30 combining marks.*{VARIABLE}=marks"):
        attack("a.csv", "id,text\n1,arma a" + "\u0301\u0323" * 100 + "\n")
    assert attack("b.csv", "id,text\n1,arma a" + "\u0323\u0301" * 15 + "\n").ids == ("1",)


def test_a_text_beyond_the_limit_is_named_with_its_row(attack):
    with (
        limited(Limits(letters=20)),
        pytest.raises(InputError, match="row 3: a text has more") as e,
    ):
        attack("a.csv", "id,text\n1,arma\n2,arma uirumque cano Troiae\n")
    assert f"{VARIABLE}=letters=" in str(e.value)


def test_limits_are_raised_by_the_environment(attack, monkeypatch):
    monkeypatch.setenv(VARIABLE, "cells=1,letters=5")
    with pytest.raises(UnsafeInputError):
        attack("a.csv", "id,text\n1,arma uirumque\n")
    monkeypatch.setenv(VARIABLE, "cells=1K,letters=2M")
    assert current_limits() == Limits(cells=1000, letters=2_000_000)
    assert attack("a.csv", "id,text\n1,arma uirumque\n").ids == ("1",)


@pytest.mark.parametrize(
    "setting", ["cells", "cells=", "cells=0", "cells=-1", "lines=3", "cells=1T"]
)
def test_a_limit_that_is_none_is_named(monkeypatch, setting):
    monkeypatch.setenv(VARIABLE, setting)
    with pytest.raises(ParameterError, match=VARIABLE):
        current_limits()


def test_every_limit_says_how_to_raise_it():
    assert Limits.parse("") == Limits()
    for name in Limits.__slots__:
        assert getattr(Limits.parse(f"{name}=7"), name) == 7
