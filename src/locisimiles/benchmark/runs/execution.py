"""Run methods on a benchmark: each method by each protocol, into a folder.

The folder has

``benchmark.json``
    The set: name, counts, SHA-256 of segments and references.
``qrels/``
    The references as TREC qrels: ``pooled.qrels``, ``cit.qrels``, ``cf.qrels``.
``PROTOCOL/METHOD/``
    ``results.json`` (rows, see `locisimiles.benchmark.runs.rows`), ``queries/results.json``
    (values of single queries), for ``retrieval`` also ``run.trec``, and last ``manifest.json``:
    everything the figures depend on, and the SHA-256 of the other files. A folder with a manifest
    and these files is finished.
``folds/METHOD/``
    Results of single folds, of classifiers and methods that learn; may be deleted.

Running it again resumes: what is finished and has the same manifest is not touched. The same input
gives the same bytes, interrupted or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.benchmark.runs.evaluation import (
    DEFAULT_K,
    Evaluation,
    judge_folds,
    measure,
    measure_ranking,
    rank,
)
from locisimiles.benchmark.runs.fold_files import FoldFiles
from locisimiles.benchmark.runs.manifest import (
    describe_benchmark,
    finish,
    holds,
    is_finished,
    run_command,
    run_manifest,
)
from locisimiles.benchmark.runs.methods import find_method
from locisimiles.benchmark.runs.query_values import query_values_of
from locisimiles.benchmark.runs.rows import PROTOCOLS, rows_of, write_rows
from locisimiles.benchmark.runs.trec import write_qrels, write_run
from locisimiles.benchmark.sets.groups import GROUPS, of_group
from locisimiles.benchmark.sets.pools import FoldPools
from locisimiles.checks import check_at_least, check_choice
from locisimiles.errors import OutputError, ParameterError
from locisimiles.files.json_files import write_json
from locisimiles.files.writing import make_folder
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.protocols import JudgedFold
    from locisimiles.benchmark.runs.methods import BenchmarkMethod
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress

__all__ = ["FinishedRun", "judge_benchmark", "run_benchmark"]


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A method measured by a protocol.

    Attributes
    ----------
    method, protocol
        Their names.
    folder
        The folder of the results.
    skipped
        Whether it was finished before.
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
    k: int = DEFAULT_K,
    train: bool = True,
    seed: int = 0,
    progress: Progress = silent,
) -> list[FinishedRun]:
    """Measure methods by protocols, and write the results.

    Parameters
    ----------
    benchmark
        The set.
    methods
        Methods, or their names; see `locisimiles.benchmark.runs.methods.method_names`.
    protocols
        Names of protocols; each method is measured by those that fit it. By default all.
    out
        The folder for the results; created if necessary. Results of the same set in it are kept.
    k
        The number of candidates per query in the protocol ``retrieval``.
    train
        Whether methods that learn are trained, once per fold. Otherwise they are measured as
        shipped, which is meaningful only for sets they have never seen.
    seed
        Seed of the distractors in the fold documents.
    progress
        Called during the work.

    Raises
    ------
    ParameterError
        If a method or protocol is unknown, a method fits none of the protocols, or it needs folds
        that the set does not have.
    OutputError
        If results cannot be written, or the folder has those of another set.
    """
    check_at_least(1, k=k)
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
    """Return the fold documents as judged by a classifier.

    Folds that a run in the folder `out` has finished are read from there; the others are judged,
    and saved there. Parameters as in `run_benchmark`.

    Raises
    ------
    ParameterError
        If the method is unknown, or not a classifier.
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


def _plan(
    methods: Sequence[BenchmarkMethod], protocols: Sequence[str] | None
) -> list[tuple[BenchmarkMethod, tuple[str, ...]]]:
    for name in protocols or ():
        check_choice(PROTOCOLS, protocol=name)
    if not methods:
        raise ParameterError("benchmark.no_methods")
    plan = []
    for method in {method.name: method for method in methods}.values():
        fitting = tuple(p for p in method.protocols if protocols is None or p in protocols)
        if not fitting:
            raise ParameterError(
                "benchmark.unfit_protocol",
                method=method.name,
                kind=method.kind,
                protocols=list(protocols or ()),
                fitting=", ".join(method.protocols),
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
        """Create the folder, and check that it belongs to this set."""
        path = self.out / "benchmark.json"
        make_folder(self.out / "qrels")
        if not path.exists():
            write_json(path, self.described, sort_keys=True)
        elif not holds(path, self.described):
            raise OutputError("benchmark.results_of_another_set", path=str(self.out))
        benchmark = self.evaluation.benchmark
        for group in GROUPS:
            references = of_group(benchmark.references, group)
            target = self.out / "qrels" / f"{group}.qrels"
            if len(references) and not target.exists():
                write_qrels(target, references, benchmark.query, benchmark.source)

    def run(self, method: BenchmarkMethod, protocols: Sequence[str]) -> list[FinishedRun]:
        """Measure a method by protocols that fit it, unless they are finished."""
        finished, judged = [], cache(lambda: self.judge(method))
        for protocol in protocols:
            folder = self.out / protocol / method.name
            manifest = self._manifest(method, protocol)
            skipped = is_finished(folder, manifest)
            if not skipped:
                self._measure(method, protocol, folder, judged)
                finish(folder, manifest)
            finished.append(FinishedRun(method.name, protocol, folder, skipped))
        return finished

    def _measure(
        self,
        method: BenchmarkMethod,
        protocol: str,
        folder: Path,
        judged: Callable[[], list[JudgedFold]],
    ) -> None:
        benchmark = self.evaluation.benchmark
        make_folder(folder)
        manifest = folder / "manifest.json"
        try:
            manifest.unlink(missing_ok=True)  # unfinished from here on
        except OSError as error:
            raise OutputError(
                "files.unwritable", path=str(manifest), reason=error.strerror
            ) from error
        measured: tuple[Measurement, ...]
        if method.kind == "retriever":
            candidates = rank(method, self.evaluation, self._files(method), self._progress(method))
            write_run(
                folder / "run.trec",
                candidates,
                benchmark.query,
                benchmark.source,
                name=method.name,
            )
            measured = measure_ranking(candidates, benchmark)
        else:
            measured = measure(protocol, judged())
        names = {"method": method.name, "protocol": protocol}
        write_rows(
            folder / "results.json",
            rows_of(measured, **names, command=run_command(method, protocol, self.evaluation)),
            query_values_of(measured, benchmark.query.ids, **names),
        )

    def judge(self, method: BenchmarkMethod) -> list[JudgedFold]:
        """Judge the fold documents, or read those that are finished."""
        return judge_folds(method, self.evaluation, self._files(method), self._progress(method))

    def _progress(self, method: BenchmarkMethod) -> Progress:
        return lambda task, done, total: self.progress(f"{method.name}: {task}", done, total)

    def _files(self, method: BenchmarkMethod) -> FoldFiles:
        return FoldFiles(self.out / "folds" / method.name, self._manifest(method, ""))

    def _manifest(self, method: BenchmarkMethod, protocol: str) -> dict[str, object]:
        return run_manifest(method, protocol, self.evaluation, self.described)
