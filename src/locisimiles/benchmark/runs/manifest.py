"""Manifests of runs: everything that results depend on, and the command that reproduces them."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING

from locisimiles.benchmark.runs.evaluation import DEFAULT_K, FIRST_STAGE
from locisimiles.errors import InputError
from locisimiles.files.hashing import file_sha256, sha256_of
from locisimiles.files.json_files import read_json, read_json_object, write_json
from locisimiles.installation import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from locisimiles.benchmark.runs.evaluation import Evaluation
    from locisimiles.benchmark.runs.methods import BenchmarkMethod
    from locisimiles.benchmark.sets.dataset import Benchmark

__all__ = ["describe_benchmark", "finish", "holds", "is_finished", "run_command", "run_manifest"]

_FORMAT = 1
_LIBRARIES = ("numpy",)
_RUN_FILES = ("results.json", "queries/results.json", "run.trec")


def describe_benchmark(benchmark: Benchmark) -> dict[str, object]:
    """Return name, counts and fingerprints of a set."""
    references = benchmark.references
    columns = (
        references.query, references.source, references.label, references.fold, references.grade,
    )  # fmt: skip
    little_endian = (c.astype(c.dtype.newbyteorder("<")).tobytes() for c in columns)
    return {
        "name": benchmark.name,
        "counts": benchmark.counts(),
        "sha256": {
            "query": benchmark.query.fingerprint(),
            "source": benchmark.source.fingerprint(),
            "references": sha256_of(little_endian),
        },
    }


def run_manifest(
    method: BenchmarkMethod, protocol: str, evaluation: Evaluation, described: Mapping[str, object]
) -> dict[str, object]:
    """Return the manifest of a method measured by a protocol on a described set."""
    has_seed = method.kind == "classifier" or evaluation.learns(method)
    return {
        "format": _FORMAT,
        "locisimiles": VERSION,
        "libraries": {name: version(name) for name in _LIBRARIES},
        "benchmark": dict(described),
        "protocol": protocol,
        "method": {"name": method.name, "parameters": dict(evaluation.parameters(method))},
        "trained": evaluation.train,
        **({"seed": evaluation.pools.seed} if has_seed else {}),
        **({"k": evaluation.k} if method.kind == "retriever" else {}),
        **({"first_stage": FIRST_STAGE} if protocol == "retrieve-and-rerank" else {}),
        "command": run_command(method, protocol, evaluation),
    }


def run_command(method: BenchmarkMethod, protocol: str, evaluation: Evaluation) -> str:
    """Return the command that measures a method by a protocol."""
    method_name, _, lemmatizer = method.name.partition("+")
    made_folds = evaluation.benchmark.manifest.get("folds")
    options = [
        f"--method {method_name}",
        *([f"--lemmatizer {lemmatizer}"] if lemmatizer else []),
        f"--protocol {protocol}",
        *([f"-k {evaluation.k}"] if evaluation.k != DEFAULT_K else []),
        *([] if evaluation.train else ["--no-train"]),
        *([f"--folds {made_folds['n']}"] if isinstance(made_folds, dict) else []),
        *([f"--seed {evaluation.pools.seed}"] if evaluation.pools.seed else []),
    ]
    return f"locisimiles benchmark run {evaluation.benchmark.name} {' '.join(options)} -o RUNS"


def finish(folder: Path, manifest: Mapping[str, object]) -> None:
    """Write the manifest of a run, with the hashes of its files."""
    names = [name for name in _RUN_FILES if (folder / name).is_file()]
    files = {name: file_sha256(folder / name) for name in names}
    write_json(folder / "manifest.json", {**manifest, "files": files}, sort_keys=True)


def is_finished(folder: Path, manifest: Mapping[str, object]) -> bool:
    """Tell whether a folder has a run of this manifest, and its files are as they were written."""
    try:
        stored = read_json_object(folder / "manifest.json")
        files = dict(stored.pop("files"))
    except (InputError, KeyError, TypeError, ValueError):
        return False
    return (
        _RUN_FILES[0] in files
        and files.keys() <= set(_RUN_FILES)
        and all(
            (folder / name).is_file() and file_sha256(folder / name) == known
            for name, known in files.items()
        )
        and stored == json.loads(json.dumps(manifest))
    )


def holds(path: Path, content: Mapping[str, object]) -> bool:
    """Tell whether a JSON file exists and holds this content."""
    try:
        return path.exists() and read_json(path) == json.loads(json.dumps(content))
    except InputError:
        return False
