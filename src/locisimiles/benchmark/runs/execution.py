"""Run methods on a benchmark: each method by each protocol, into a folder.

The folder has

``benchmark.json``
    Which set it is: name, counts, SHA-256 of segments and references.
``qrels/``
    The references as TREC qrels: ``pooled.qrels``, ``cit.qrels``, ``cf.qrels``.
``PROTOCOL/METHOD/``
    ``results.json`` (rows, see `locisimiles.benchmark.runs.rows`), ``queries/results.json``
    (values of single queries), for ``retrieval`` also ``run.trec``, and last ``manifest.json``: all
    that the figures depend on. A folder with a manifest is finished.
``folds/METHOD/``
    What methods that learn and classifiers did with each fold; may be deleted.

Whoever runs it again gets what is missing: what is finished and has the same manifest is not
touched. The same input gives the same bytes, also in several goes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.benchmark.runs.evaluation import (
    FIRST_STAGE,
    Evaluation,
    judge_folds,
    measure,
    measure_ranking,
    rank,
)
from locisimiles.benchmark.runs.fold_files import FoldFiles
from locisimiles.benchmark.runs.methods import find_method
from locisimiles.benchmark.runs.query_values import query_values_of
from locisimiles.benchmark.runs.rows import PROTOCOLS, rows_of, write_rows
from locisimiles.benchmark.runs.trec import write_qrels, write_run
from locisimiles.benchmark.sets.groups import GROUPS, of_group
from locisimiles.benchmark.sets.pools import FoldPools
from locisimiles.errors import InputError, OutputError, ParameterError
from locisimiles.files.hashing import sha256_of
from locisimiles.files.json_files import read_json
from locisimiles.files.writing import atomic
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.protocols import JudgedFold
    from locisimiles.benchmark.runs.methods import BenchmarkMethod
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress

__all__ = ["FinishedRun", "describe_benchmark", "judge_benchmark", "run_benchmark"]

_FORMAT = 1
_K = 1000
_MATTERS_FOR_RESULTS = ("numpy",)


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A method that was measured by a protocol.

    Attributes
    ----------
    method, protocol
        Their names.
    folder
        Where the results are.
    skipped
        Whether they were there before.
    """

    method: str
    protocol: str
    folder: Path
    skipped: bool


def run_benchmark(
    benchmark: Benchmark,
    methods: Sequence[str | BenchmarkMethod],
    protocols: Sequence[str] | None,
    out: str | os.PathLike[str],
    *,
    k: int = _K,
    train: bool = True,
    seed: int = 0,
    progress: Progress = silent,
) -> list[FinishedRun]:
    """Measure methods by protocols, and write what was found.

    Parameters
    ----------
    benchmark
        The set.
    methods
        Methods, or names of those that `locisimiles.benchmark.runs.methods.find_method` knows.
    protocols
        Names of protocols; each method is measured by those that fit it. By default all.
    out
        The folder for the results; made if it is not there. What it has of the same set is kept.
    k
        How many candidates a query gets in the protocol ``retrieval``.
    train
        Whether methods that learn are trained, once for each fold. If not, they are measured as
        they are shipped, which says something only of sets they have never seen.
    seed
        Of the distractors in the fold documents.
    progress
        Called while the work goes on.

    Raises
    ------
    ParameterError
        If a method or protocol is unknown, a method fits none of the protocols, or needs folds that
        the set does not have.
    OutputError
        If results cannot be written, or the folder has those of another set.
    """
    if k < 1:
        raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
    chosen = [find_method(name) if isinstance(name, str) else name for name in methods]
    plan = _plan(chosen, protocols)
    evaluation = Evaluation(FoldPools(benchmark, seed), train, k)
    runner = _Runner(evaluation, Path(out), describe_benchmark(benchmark), progress)
    runner.prepare()
    return [finished for method, of_method in plan for finished in runner.run(method, of_method)]


def judge_benchmark(
    benchmark: Benchmark,
    method: str | BenchmarkMethod,
    out: str | os.PathLike[str],
    *,
    train: bool = True,
    seed: int = 0,
    progress: Progress = silent,
) -> list[JudgedFold]:
    """Return what a classifier thinks of the fold documents.

    What a run in the folder `out` has found out already is read from there; the rest is judged, and
    kept there. Parameters as in `run_benchmark`.

    Raises
    ------
    ParameterError
        If the method is unknown, or no classifier.
    """
    chosen = find_method(method) if isinstance(method, str) else method
    _plan([chosen], [name for name, kind in PROTOCOLS.items() if kind == "classifier"])
    runner = _Runner(
        Evaluation(FoldPools(benchmark, seed), train),
        Path(out),
        describe_benchmark(benchmark),
        progress,
    )
    runner.prepare()
    return runner.judge(chosen)


def describe_benchmark(benchmark: Benchmark) -> dict[str, object]:
    """Return which set this is, in a way that two sets never have in common."""
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


def _plan(
    methods: Sequence[BenchmarkMethod], protocols: Sequence[str] | None
) -> list[tuple[BenchmarkMethod, tuple[str, ...]]]:
    for name in protocols or ():
        if name not in PROTOCOLS:
            raise ParameterError(
                f"there is no protocol {name!r}", hint=f"choose among {', '.join(PROTOCOLS)}"
            )
    if not methods:
        raise ParameterError("no method was named")
    plan = []
    for method in {method.name: method for method in methods}.values():
        fitting = tuple(p for p in method.protocols if protocols is None or p in protocols)
        if not fitting:
            raise ParameterError(
                f"{method.name} cannot be measured by {', '.join(protocols or ())}",
                hint=f"it is a {method.kind}: choose among {', '.join(method.protocols)}",
            )
        plan.append((method, fitting))
    return plan


@dataclass(frozen=True, slots=True)
class _Runner:
    evaluation: Evaluation
    out: Path
    described: Mapping[str, object]
    progress: Progress

    def prepare(self) -> None:
        """Make the folder, and make sure that it belongs to this set."""
        path = self.out / "benchmark.json"
        try:
            (self.out / "qrels").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.out} cannot be made: {error.strerror}") from error
        if path.exists():
            if _read(path) != _as_json(self.described):
                raise OutputError(
                    f"{self.out} has results of another set", hint="choose another folder"
                )
        else:
            _write_json(path, self.described)
        benchmark = self.evaluation.benchmark
        for group in GROUPS:
            references = of_group(benchmark.references, group)
            target = self.out / "qrels" / f"{group}.qrels"
            if len(references) and not target.exists():
                write_qrels(target, references, benchmark.query, benchmark.source)

    def run(self, method: BenchmarkMethod, protocols: Sequence[str]) -> list[FinishedRun]:
        """Measure a method by protocols that fit it, those that are finished left out."""
        finished, judged = [], _Once(lambda: self.judge(method))
        for protocol in protocols:
            folder = self.out / protocol / method.name
            manifest = self._manifest(method, protocol)
            skipped = _is_finished(folder, manifest)
            if not skipped:
                self._measure(method, protocol, folder, judged)
                _write_json(folder / "manifest.json", manifest)
            finished.append(FinishedRun(method.name, protocol, folder, skipped))
        return finished

    def _measure(self, method: BenchmarkMethod, protocol: str, folder: Path, judged: _Once) -> None:
        benchmark = self.evaluation.benchmark
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "manifest.json").unlink(missing_ok=True)  # what follows is unfinished
        except OSError as error:
            raise OutputError(f"{folder} cannot be made: {error.strerror}") from error
        measured: tuple[Measurement, ...]
        if method.kind == "retriever":
            candidates = rank(method, self.evaluation, self._files(method), self._told(method))
            write_run(
                folder / "run.trec",
                candidates,
                benchmark.query,
                benchmark.source,
                name=method.name,
            )
            measured = measure_ranking(candidates, self.evaluation)
        else:
            measured = measure(protocol, judged())
        names = {"method": method.name, "protocol": protocol}
        write_rows(
            folder / "results.json",
            rows_of(measured, **names, command=self._command(method, protocol)),
            query_values_of(measured, benchmark.query.ids, **names),
        )

    def judge(self, method: BenchmarkMethod) -> list[JudgedFold]:
        """Let a classifier judge the fold documents, or read what it thought of them."""
        return judge_folds(method, self.evaluation, self._files(method), self._told(method))

    def _told(self, method: BenchmarkMethod) -> Progress:
        return lambda task, done, total: self.progress(f"{method.name}: {task}", done, total)

    def _files(self, method: BenchmarkMethod) -> FoldFiles:
        return FoldFiles(self.out / "folds" / method.name, self._manifest(method, ""))

    def _manifest(self, method: BenchmarkMethod, protocol: str) -> dict[str, object]:
        evaluation = self.evaluation
        has_seed = method.kind == "classifier" or evaluation.learns(method)
        return {
            "format": _FORMAT,
            "locisimiles": version("locisimiles"),
            "libraries": {name: version(name) for name in _MATTERS_FOR_RESULTS},
            "benchmark": dict(self.described),
            "protocol": protocol,
            "method": {"name": method.name, "parameters": dict(evaluation.parameters(method))},
            "trained": evaluation.train,
            **({"seed": evaluation.pools.seed} if has_seed else {}),
            **({"k": evaluation.k} if method.kind == "retriever" else {}),
            **({"first_stage": FIRST_STAGE} if protocol == "retrieve-and-rerank" else {}),
            "command": self._command(method, protocol),
        }

    def _command(self, method: BenchmarkMethod, protocol: str) -> str:
        method_name, _, lemmatizer = method.name.partition("+")
        made_folds = self.evaluation.benchmark.manifest.get("folds")
        options = [
            f"--method {method_name}",
            *([f"--lemmatizer {lemmatizer}"] if lemmatizer else []),
            f"--protocol {protocol}",
            *([f"-k {self.evaluation.k}"] if self.evaluation.k != _K else []),
            *([] if self.evaluation.train else ["--no-train"]),
            *([f"--folds {made_folds['n']}"] if isinstance(made_folds, dict) else []),
            *([f"--seed {self.evaluation.pools.seed}"] if self.evaluation.pools.seed else []),
        ]
        name = self.evaluation.benchmark.name
        return f"locisimiles benchmark run {name} {' '.join(options)} -o RUNS"


class _Once:
    """Calls a function when its value is first wanted, and keeps that."""

    def __init__(self, function: Callable[[], list[JudgedFold]]) -> None:
        self._function = function
        self._value: list[JudgedFold] | None = None

    def __call__(self) -> list[JudgedFold]:
        if self._value is None:
            self._value = self._function()
        return self._value


def _is_finished(folder: Path, manifest: Mapping[str, object]) -> bool:
    there = (folder / "results.json").is_file() and (folder / "manifest.json").is_file()
    return there and _read(folder / "manifest.json") == _as_json(manifest)


def _read(path: Path) -> object:
    try:
        return read_json(path)
    except InputError:
        return None


def _as_json(content: Mapping[str, object]) -> object:
    return json.loads(json.dumps(content))


def _write_json(path: Path, content: Mapping[str, object]) -> None:
    with atomic(path) as stream:
        json.dump(content, stream, ensure_ascii=False, indent=1, sort_keys=True)
        stream.write("\n")
