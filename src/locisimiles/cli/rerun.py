"""``locisimiles rerun``."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    get_args,
    get_origin,
    get_type_hints,
)

import typer

from locisimiles.cli.console import ProgressBar, say, write_line
from locisimiles.cli.repeating import NOT_REPEATED, PLACES
from locisimiles.cli.search import search
from locisimiles.errors import InputError, MalformedInputError, ParameterError
from locisimiles.export.tables import REPEAT, TABLE_SHA256
from locisimiles.files.hashing import file_sha256
from locisimiles.files.json_files import read_json_object
from locisimiles.files.writing import manifest_beside
from locisimiles.jobs import Job, is_job, run_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["rerun"]

_DIFFERENT = 1
_MANIFEST = ".manifest.json"
_NEEDED = {"query", "source"}

_Compared = tuple[str, bool]


def rerun(
    manifest: Annotated[
        Path,
        typer.Argument(
            metavar="MANIFEST",
            help="The manifest of a search or of a benchmark run, or the folder of a job.",
        ),
    ],
    benchmark: Annotated[
        Path | None,
        typer.Option(
            "--benchmark",
            metavar="FOLDER",
            help="A benchmark: query.csv, source.csv and labels.csv.",
        ),
    ] = None,
) -> None:
    """Repeat a search, a job or a benchmark run, and compare the bytes.

    Nothing is changed. Exits with 1 if a file differs; what the manifest says otherwise is named.

    Examples:

    - `locisimiles rerun hits.csv.manifest.json`

    - `locisimiles rerun letters`: a job

    - `locisimiles rerun runs/retrieval/bm25/manifest.json --benchmark loci-similes`
    """
    with tempfile.TemporaryDirectory() as folder:
        compared = list(_compared(manifest, benchmark, Path(folder)))
    for name, same in compared:
        write_line(name, "the same bytes" if same else "differs")
    if not all(same for _, same in compared):
        raise typer.Exit(_DIFFERENT)


def _compared(manifest: Path, benchmark: Path | None, folder: Path) -> Iterator[_Compared]:
    """Repeat what a manifest describes into a folder; yield files, and whether they agree."""
    if is_job(manifest):
        return _job(Job.open(manifest), folder)
    if not manifest.name.endswith("manifest.json"):
        beside = manifest_beside(manifest)
        if manifest.is_file() and not beside.exists():  # other formats hold their own
            raise InputError("cli.not_repeatable", file=str(manifest))
        manifest = beside
    content = read_json_object(manifest)
    if isinstance(content.get(REPEAT), dict):
        return _search(manifest, content, folder)
    if isinstance(content.get("files"), dict) and "protocol" in content:
        return _benchmark_run(content, benchmark, folder)
    raise InputError("cli.not_repeatable", file=str(manifest))


def _search(manifest: Path, content: Mapping[str, Any], folder: Path) -> Iterator[_Compared]:
    arguments = _arguments(manifest, content[REPEAT])
    table = manifest.name.removesuffix(_MANIFEST)
    search(**arguments, output=folder / table)
    again = read_json_object(manifest_beside(folder / table))
    _say_differences(content, again)
    if (manifest.parent / table).is_file():
        known = file_sha256(manifest.parent / table)
        if known != content.get(TABLE_SHA256):
            say(f"{table} was changed after it was written", kind="note")
    yield table, again[TABLE_SHA256] == content.get(TABLE_SHA256)


def _arguments(manifest: Path, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a search; a manifest may come from anybody."""
    hints = get_type_hints(search)
    known = hints.keys() - {*NOT_REPEATED, "return"}
    if not _NEEDED <= stored.keys() <= known or not all(
        _fits(value, hints[name]) for name, value in stored.items()
    ):
        raise MalformedInputError("cli.not_repeatable", file=str(manifest))
    if "-" in (stored.get("query"), *(stored.get("source") or ())):
        raise ParameterError("cli.standard_input_not_repeatable")
    return {
        name: _found(value, manifest.parent) if name in PLACES else value
        for name, value in stored.items()
    }


def _fits(value: object, hint: Any) -> bool:  # noqa: ANN401 - a type
    """Tell whether a value of JSON is of a type that an argument may have."""
    origin, kinds = get_origin(hint), get_args(hint)
    if origin is list:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if origin is Literal:
        return value in kinds
    if kinds:
        return any(_fits(value, kind) for kind in kinds)
    if hint in (int, float):
        return isinstance(value, hint | int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _found(value: Any, folder: Path) -> Any:  # noqa: ANN401 - as JSON holds it
    if isinstance(value, list):
        return [_found(one, folder) for one in value]
    if isinstance(value, str) and value and (folder / value).exists():
        return str(folder / value)
    return value


def _say_differences(stored: Mapping[str, Any], again: Mapping[str, Any]) -> None:
    """Say what the results depend on and is no longer the same."""
    for name in sorted((stored.keys() | again.keys()) - {TABLE_SHA256, REPEAT}):
        if stored.get(name) != again.get(name):
            before, now = stored.get(name), again.get(name)
            say(f"the manifest differs in {name}: it was {before}, it is {now}", kind="note")


def _job(job: Job, folder: Path) -> Iterator[_Compared]:
    shutil.copyfile(job.query_path, folder / job.query_path.name)
    again = replace(job, folder=folder, index=str(job.index_folder.resolve()))
    again.blocks_folder.mkdir()
    again.write()
    done = [number for number in range(len(job.blocks)) if job.block_path(number).is_file()]
    with ProgressBar() as progress:
        run_blocks(again, done, progress=progress)
    for number in done:
        one, other = job.block_path(number), again.block_path(number)
        yield f"blocks/{one.name}", file_sha256(one) == file_sha256(other)


def _benchmark_run(
    content: Mapping[str, Any], folder_of_set: Path | None, folder: Path
) -> Iterator[_Compared]:
    from locisimiles.benchmark.runs.evaluation import DEFAULT_K
    from locisimiles.benchmark.runs.execution import run_benchmark
    from locisimiles.benchmark.sets.dataset import Benchmark

    if folder_of_set is None:
        raise ParameterError("cli.rerun_needs_set")
    name, protocol = str(content["method"]["name"]), str(content["protocol"])
    with ProgressBar() as progress:
        benchmark = Benchmark.load(folder_of_set, progress=progress)
        folds = dict(content["benchmark"]).get("folds", content.get("folds"))
        if isinstance(folds, int) and folds:
            benchmark = benchmark.with_folds(folds)
        (run,) = run_benchmark(
            benchmark,
            [name],
            [protocol],
            folder,
            k=int(content.get("k", DEFAULT_K)),
            train=bool(content["trained"]),
            seed=int(content.get("seed", 0)),
            progress=progress,
        )
    again = read_json_object(run.folder / "manifest.json")
    _say_differences({**content, "files": None}, {**again, "files": None})
    for file, known in content["files"].items():
        yield f"{protocol}/{name}/{file}", again["files"].get(file) == known
