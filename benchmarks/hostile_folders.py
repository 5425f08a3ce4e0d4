"""Hostile jobs, indexes, blocks, queries and Bibles: what a stranger may send besides texts.

A folder travels as a zip file of ours; its suffix says what it is. Whoever changed a file also made
its checksums anew where these need no key, as an attacker would.
"""

from __future__ import annotations

import io
import json
import shutil
import struct
import tempfile
import zipfile
import zlib
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles import Index, Pipeline, load_example_query, load_example_source
from locisimiles.corpus.library.store import Library
from locisimiles.corpus.verses import read_verses
from locisimiles.export import write_results
from locisimiles.files.hashing import sha256_of
from locisimiles.files.parquet_columns import write_columns
from locisimiles.files.parquet_sql import query_parquet
from locisimiles.index import check_index
from locisimiles.jobs import (
    Job,
    SearchSettings,
    merged_blocks,
    merging_pipeline,
    missing_blocks,
    plan_job,
    run_blocks,
    write_compact,
)
from locisimiles.jobs.blocks import _sha256
from locisimiles.results.columns import result_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Change = Callable[[Path], object]

__all__ = ["FOLDER_READERS", "folder_inputs"]


# What users do with what they were sent.


def use_job(path: Path) -> None:
    """Ask for the state of a job, run it, and merge it in both ways."""
    with tempfile.TemporaryDirectory() as folder:
        _unpack(path, Path(folder))
        job = Job.open(Path(folder))
        missing_blocks(job)
        run_blocks(job)
        pipeline = merging_pipeline(job)
        for results in merged_blocks(job, pipeline):
            list(result_rows(results))
        write_compact(job, pipeline, Path(folder) / "compact.parquet")


def use_index(path: Path) -> None:
    """Check an index and search in it."""
    with tempfile.TemporaryDirectory() as folder:
        _unpack(path, Path(folder))
        check_index(Path(folder))
        results = Pipeline("bm25", k=3).run(load_example_query(), Index.open(folder))
        list(result_rows(results))


def use_query(path: Path) -> None:
    """Ask our results what a stranger's SQL asks."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "hits.parquet"
        results.write_bytes(_results())
        text = path.read_text(encoding="utf-8", errors="surrogatepass")
        with query_parquet([results], text) as found:
            for _ in found.rows:
                pass


def use_bible(path: Path) -> None:
    """Add a Bible to a library."""
    with tempfile.TemporaryDirectory() as folder:
        Library(Path(folder)).add_vulgate(read_verses(path))


def _unpack(path: Path, folder: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)


FOLDER_READERS = {
    ".job": {"job": use_job},
    ".index": {"index": use_index},
    ".sql": {"query": use_query},
    ".bible": {"library": use_bible},
}
"""What reads what has one of these suffixes."""


# What is whole.


@cache
def _results() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hits.parquet"
        found = Pipeline("bm25", k=3).run(load_example_query(), load_example_source())
        write_results(found, path)
        return path.read_bytes()


@cache
def _job() -> bytes:
    """Return a job of nine blocks, which are done, with its index inside."""
    with tempfile.TemporaryDirectory() as folder:
        index = Index.build(Path(folder) / "index", load_example_source())
        settings = SearchSettings("bm25")
        job = plan_job(Path(folder), load_example_query(), index, settings, block_size=5)
        run_blocks(job)
        index.close()
        _rewrite(Path(folder) / "plan.json", lambda plan: plan.update(index="index"))
        return _packed(Path(folder))


def _packed(folder: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return stream.getvalue()


def _changed(change: Change, part: str = "") -> bytes:
    """Return the job, or a folder in it, after a change."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        with zipfile.ZipFile(io.BytesIO(_job())) as archive:
            archive.extractall(whole)
        change(whole / part)
        return _packed(whole / part)


def _rewrite(path: Path, change: Callable[[Any], object]) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


# What is changed.


def _planned(change: Callable[[Any], object]) -> Change:
    """Change a plan, and leave a block to be done."""

    def rewrite(folder: Path) -> None:
        next((folder / "blocks").iterdir()).unlink()
        _rewrite(folder / "plan.json", change)

    return rewrite


def _plan(**changes: object) -> Change:
    return _planned(lambda plan: plan.update(changes))


def _settings(**changes: object) -> Change:
    return _planned(lambda plan: plan["settings"].update(changes))


def _without(name: str) -> Change:
    return _planned(lambda plan: plan.pop(name))


_PLANS: dict[str, Change] = {
    "a plan of blocks of nothing": _plan(block_size=0),
    "a plan of blocks below nothing": _plan(block_size=-5),
    "a plan of an endless block": _plan(block_size=float("inf")),
    "a plan of endless segments": _plan(segments=float("inf")),
    "a plan of a billion segments": _plan(segments=10**9),
    "a plan of no segments": _plan(segments=0),
    "a plan of segments below nothing": _plan(segments=-1),
    "a plan of no blocks": _plan(blocks=[]),
    "a plan of a million blocks": _plan(blocks=["0" * 32] * 10**6),
    "a plan of blocks elsewhere": _plan(blocks=["../../../../etc/passwd0000000000"]),
    "a plan of blocks that are a text": _plan(blocks="0" * 32),
    "a plan of an index elsewhere": _plan(index="../../../../etc"),
    "a plan of a device as index": _plan(index="/dev/zero"),
    "a plan of an index whose name is too long": _plan(index="a" * 5000),
    "a plan of an index with a null byte": _plan(index="a\0b"),
    "a plan of a query elsewhere": _plan(query_sha256="../../../../etc/passwd" + "0" * 32),
    "a plan of another search": _plan(search={"method": "none"}),
    "a plan of a search that is a list": _plan(search=[["a", "b"]]),
    "a plan of settings that are a list": _plan(settings=[]),
    "a plan without settings": _without("settings"),
    "a plan without a query": _without("query_sha256"),
    "a plan of another format": _plan(format=[[]]),
    "a plan of a method that is a number": _settings(method=5),
    "a plan of an unknown method": _settings(method="none"),
    "a plan of a method of the Hub": _settings(method="late", model="nobody/nothing"),
    "a plan of a model that is a device": _settings(method="late", model="/dev/zero"),
    "a plan of vectors that are a device": _settings(method="word2vec", vectors="/dev/zero"),
    "a plan of a lemmatizer that is a device": _settings(lemmatizer="/dev/zero"),
    "a plan of a lemmatizer that is a list": _settings(lemmatizer=["fast"]),
    "a plan of weights that are a device": _settings(
        method="default", settings=[["weights", "/dev/zero"]]
    ),
    "a plan of settings with three parts": _settings(settings=[["a", "b", "c"]]),
    "a plan of candidates that are a text": _settings(k="many"),
    "a plan of a billion candidates": _settings(k=10**9),
    "a plan of a depth that is a text": _settings(depth="x"),
    "a plan of a classifier that is a number": _settings(classifier=7),
    "a plan of exclusions that are numbers": _settings(exclude=[1, 2]),
    "a plan of exclusions that are none": _settings(exclude=None),
    "a plan of adaptation that is a text": _settings(adapt="x"),
}


def _block(**columns: Any) -> Change:  # noqa: ANN401
    """Put a block in the place of the first, with a checksum of what it has."""

    def change(folder: Path) -> None:
        name = json.loads((folder / "plan.json").read_text(encoding="utf-8"))["blocks"][0]
        kinds = {"query": np.int32, "source": np.int32, "rank": np.int32, "score": np.float32}
        whole = {"query": [0], "source": [0], "rank": [1], "score": [1.0], **columns}
        arrays = {
            column: np.asarray(values, kinds.get(column) if _fits(values) else None)
            for column, values in whole.items()
            if values is not None
        }
        path = folder / "blocks" / f"{name}.parquet"
        write_columns(path, arrays, {"block": name, "sha256": _sha256(arrays)})

    return change


def _fits(values: Any) -> bool:  # noqa: ANN401
    return all(isinstance(value, int | float) and abs(value) < 2**31 for value in values)


def _many_pairs(folder: Path) -> None:
    zeros = np.zeros(50_000_000, np.int32)
    columns = {"query": zeros, "source": zeros, "rank": zeros, "score": zeros.astype(np.float32)}
    name = json.loads((folder / "plan.json").read_text(encoding="utf-8"))["blocks"][0]
    path = folder / "blocks" / f"{name}.parquet"
    write_columns(path, columns, {"block": name, "sha256": _sha256(columns)})


_BLOCKS: dict[str, Change] = {
    "a block of segments that are not there": _block(query=[10**6]),
    "a block of segments of another block": _block(query=[40]),
    "a block of segments below nothing": _block(query=[-1]),
    "a block of sources that are not there": _block(source=[10**9]),
    "a block of sources below nothing": _block(source=[-7]),
    "a block of scores that are none": _block(score=[float("nan")]),
    "a block of endless scores": _block(score=[float("inf")]),
    "a block of scores that are texts": _block(score=np.array(["a"], object)),
    "a block of large numbers": _block(source=np.array([2**62])),
    "a block without sources": _block(source=None),
    "a block in no order": _block(
        query=[3, 0], source=[0, 0], rank=[1, 1], score=[1.0, 2.0]
    ),
    "a block of the same pair": _block(
        query=[0, 0], source=[0, 0], rank=[1, 2], score=[1.0, 1.0]
    ),
    "a block of probabilities beyond one": _block(none=[-1.0], cit=[9.0], cf=[-7.0]),
    "a block of probabilities that are none": _block(none=[float("nan")] , cit=[0.0], cf=[0.0]),
    "a block of fifty million pairs": _many_pairs,
}  # fmt: skip


def _manifest(change: Callable[[Any], object]) -> Change:
    """Change the manifest of an index; its checksum is made anew."""

    def rewrite(folder: Path) -> None:
        def both(content: Any) -> None:  # noqa: ANN401
            content.pop("checksum")
            change(content)
            content["checksum"] = sha256_of(json.dumps(content, sort_keys=True))

        _rewrite(folder / "index.json", both)

    return rewrite


def _arrays(change: Callable[[Any], object], kind: str = "shards") -> Change:
    """Change the header of a file of arrays; its checksum is made anew."""

    def rewrite(folder: Path) -> None:
        for path in (folder / kind).iterdir():
            whole = path.read_bytes()
            magic, length, _ = struct.unpack("<8sII", whole[:16])
            content = json.loads(whole[16 : 16 + length])
            change(content)
            header = json.dumps(content).encode().ljust(length)
            prefix = struct.pack("<8sII", magic, len(header), zlib.crc32(header))
            path.write_bytes(prefix + header + whole[16 + length :])

    return rewrite


def _each(place: int, value: object) -> Callable[[Any], object]:
    def change(content: Any) -> None:  # noqa: ANN401
        for array in content["arrays"].values():
            array[place] = value

    return change


def _deep(folder: Path) -> None:
    header = b"[" * 500_000
    prefix = struct.pack("<8sII", b"LociArr1", len(header), zlib.crc32(header))
    for path in (folder / "parts").iterdir():
        path.write_bytes(prefix + header)


def _first(part: str, **changes: object) -> Change:
    return _manifest(lambda content: content[part][0].update(changes))


_INDEXES: dict[str, Change] = {
    "an index of parts elsewhere": _first("parts", key="../../../../etc/passwd"),
    "an index of parts without a name": _first("parts", key=""),
    "an index of parts whose name is a number": _first("parts", key=7),
    "an index of parts with a null byte": _first("parts", key="a\0b"),
    "an index of parts whose name is too long": _first("parts", key="a" * 5000),
    "an index of an author that is a number": _first("parts", author=7),
    "an index of segments that are a text": _first("parts", segments="many"),
    "an index of too many segments": _first("parts", segments=10**9),
    "an index of segments below nothing": _first("parts", segments=-3),
    "an index of unknown facts": _first("parts", colour="red"),
    "an index of shards with too many parts": _first("shards", parts=10**6),
    "an index of shards with endless parts": _first("shards", parts=float("inf")),
    "an index of an endless generation": _manifest(lambda one: one.update(generation=float("inf"))),
    "an index made with a list": _manifest(lambda one: one.update(made_with=[])),
    "an index made with nothing": _manifest(lambda one: one.update(made_with={})),
    "an index made with a lemmatizer that is a list": _manifest(
        lambda one: one["made_with"].update(lemmatizer=[])
    ),
    "an index whose totals are a text": _manifest(lambda one: one.update(totals="x")),
    "an index of no parts": _manifest(lambda one: one.update(parts=[])),
    "an index of no shards": _manifest(lambda one: one.update(shards=[])),
    "an index of arrays of a petabyte": _arrays(_each(1, [10**15])),
    "an index of arrays below nothing": _arrays(_each(1, [-1])),
    "an index of arrays of objects": _arrays(_each(0, "|O")),
    "an index of arrays of nothing": _arrays(_each(0, "|V0")),
    "an index of arrays beyond the end": _arrays(_each(2, 10**12)),
    "an index of arrays before the beginning": _arrays(_each(2, -64)),
    "an index of arrays that are texts": _arrays(_each(1, "ab")),
    "an index of one shape for all": _arrays(_each(1, [1])),
    "an index of parts of one shape": _arrays(_each(1, [1]), "parts"),
    "an index of parts without arrays": _arrays(lambda one: one.update(arrays={}), "parts"),
    "an index of shards without arrays": _arrays(lambda one: one.update(arrays=[])),
    "an index of a size that is endless": _arrays(lambda one: one.update(size=float("inf"))),
    "an index of a deep header": _deep,
    "an index of empty files": lambda folder: [
        path.write_bytes(b"") for path in folder.rglob("*.arrays")
    ],
    "an index without files": lambda folder: shutil.rmtree(folder / "shards"),
}

_QUERIES = {
    "a query of another file": "SELECT * FROM read_csv('/etc/passwd')",
    "a query of a text": "SELECT * FROM read_text('/etc/passwd')",
    "a query of a file by name": "SELECT * FROM '/etc/passwd'",
    "a query of names of files": "SELECT * FROM glob('/*')",
    "a query that guesses at a file": "SELECT * FROM sniff_csv('/etc/passwd')",
    "a query of the environment": "SELECT getenv('HOME')",
    "a query that writes": "COPY results TO '/tmp/x.csv'",
    "a query that attaches": "ATTACH '/tmp/x.db'",
    "a query that installs": "INSTALL httpfs",
    "a query that loads": "LOAD '/tmp/x.duckdb_extension'",
    "a query that sets": "SET enable_external_access = true",
    "a query that resets": "RESET lock_configuration",
    "a query that deletes": "DELETE FROM results",
    "a query that drops": "DROP VIEW results",
    "two queries": "SELECT 1; SELECT 2",
    "a query within a query": "FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
    "a query of the web": "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
    "no query": "",
    "a comment": "-- nothing",
    "a query with a null byte": "SELECT 1\0",
    "a query with half a character": "SELECT '\ud800'",
    "a deep query": "SELECT " + "(" * 20_000 + "1" + ")" * 20_000,
    "a query of many values": "SELECT 1" + ", 1" * 200_000,
    "a query of a long text": "SELECT repeat('a', 5000000000)",
    "a query of a long list": "SELECT range(1000000000)",
    "a query that collects": "SELECT list(i) FROM range(300000000) t(i)",
    "a query that joins texts": "SELECT string_agg(i::VARCHAR) FROM range(200000000) t(i)",
    "a query that sorts": "SELECT i FROM range(100000000) t(i) ORDER BY hash(i) LIMIT 1 OFFSET 9",
    "a query that errs": "SELECT CAST('a' AS INTEGER)",
    "a query that divides by nothing": "SELECT error('x')",
    "a query that changes Python": "SELECT * FROM os",
}

_BIBLES = {
    "a Bible of no book": "Xy 1:1 in principio\n",
    "a Bible of a book elsewhere": "../../Mt 5:3 beati\n",
    "a Bible of verses of a million digits": "Mt 5:" + "1" * 10**6 + " beati\n",
    "a Bible of one verse twice": "Mt 5:3 beati\n" * 2,
    "a Bible of a verse a hundred thousand times": "Mt 5:3 beati\n" * 100_000,
    "a Bible of a long verse": "Mt 5:3 " + "beati " * 10**6 + "\n",
    "a Bible of many verses": "".join(f"Mt {n}:1 beati\n" for n in range(1, 100_000)),
    "a Bible of colons": ":" * 10**6,
    "a Bible of names": "Mt " * 500_000,
    "a Bible with null bytes": "Mt 5:3 bea\0ti\n",
    "a Bible of nothing": "",
    "a Bible of escapes": "Mt 5:3 \x1b]0;a\x07beati\n",
    "a Bible of TEI bombs": '<!DOCTYPE x [<!ENTITY a "a">]><TEI>' + "&a;" * 10**5 + "</TEI>",
}


def folder_inputs() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Yield the name of each input, its file, and what makes its bytes."""
    for changes in (_PLANS, _BLOCKS):
        for name, change in changes.items():
            yield name, "a.job", partial(_changed, change)
    for name, change in _INDEXES.items():
        yield name, "a.index", partial(_changed, change, "index")
    for texts, suffix in ((_QUERIES, ".sql"), (_BIBLES, ".bible")):
        for name, text in texts.items():
            yield name, f"a{suffix}", partial(text.encode, "utf-8", "surrogatepass")
