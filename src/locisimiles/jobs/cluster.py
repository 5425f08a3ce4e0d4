"""Blocks done by the workers of a Dask cluster: on this machine, anywhere, or in jobs of SLURM."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from locisimiles.errors import (
    LocisimilesError,
    MissingDependencyError,
    OutputError,
    ParameterError,
)
from locisimiles.installation import install_command
from locisimiles.jobs.workers import do_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import ModuleType

    from locisimiles.jobs.plan import Job

__all__ = ["Cluster", "open_cluster"]

_OWN = re.compile(r"(local|slurm)(?::(\d{1,5}))?")
_ADDRESS = re.compile(r"(?:tcp|tls|ucx|ws|wss)://\S+")
_SLURM_WORKERS = 8
_MOST_DEATHS = 30  # of workers over one block; then it is the block's fault
_PATIENCE_S = 30


class Cluster:
    """A Dask cluster whose workers do blocks of jobs; from `open_cluster`.

    Attributes
    ----------
    name
        What `open_cluster` was given.
    dashboard
        The link to the page that shows what its workers do.
    """

    def __init__(self, name: str, client: Any) -> None:  # noqa: ANN401 - of a library without types
        self.name = name
        self.dashboard = str(client.dashboard_link)
        self._client = client

    def done(self, job: Job, numbers: Sequence[int]) -> Iterator[int]:
        """Let workers do blocks of a job, and yield each when it is done.

        The blocks of a worker that is lost are done by others. All workers must see the folder of
        the job, and the index, under the same path.

        Raises
        ------
        LocisimilesError
            What was raised by a worker, or an OutputError if workers keep dying over a block, or
            the cluster is lost.
        """
        folder = str(job.folder.resolve())
        tasks = {job.blocks[number]: (folder, number, job.blocks[number]) for number in numbers}
        yield from self.results(do_block, tasks)

    def everywhere(self, function: Callable[[], Any]) -> dict[str, Any]:
        """Return what a function returns to each worker, by its address."""
        return dict(self._client.run(function))

    def results(
        self, function: Callable[..., Any], tasks: Mapping[str, Sequence[object]]
    ) -> Iterator[Any]:
        """Yield what a function of ours returns to workers, as they end.

        Parameters
        ----------
        function
            What workers do.
        tasks
            Its arguments, by keys that name what is done.

        Raises
        ------
        LocisimilesError
            As for `done`.
        """
        distributed = import_module("distributed")
        futures = [
            self._client.submit(function, *arguments, key=key, pure=True)
            for key, arguments in tasks.items()
        ]
        retried = 0
        try:
            waiting = distributed.as_completed(futures)
            for future in waiting:
                try:
                    yield future.result()
                except distributed.KilledWorker as error:
                    # A scheduler that is not ours allows only a few deaths.
                    retried += 1
                    if retried > _MOST_DEATHS:
                        raise OutputError("jobs.worker_died", cluster=self.name) from error
                    future.retry()
                    waiting.add(future)
        except LocisimilesError:
            raise
        except (OSError, TimeoutError, asyncio.CancelledError, distributed.CancelledError) as error:
            raise OutputError(
                "jobs.cluster_lost", cluster=self.name, reason=_reason(error)
            ) from error
        except (ImportError, AttributeError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "deserial" not in str(error):
                raise
            raise ParameterError(
                "jobs.other_workers", cluster=self.name, reason=_reason(error)
            ) from error
        finally:
            self._client.cancel(futures, force=True)


@contextmanager
def open_cluster(name: str) -> Iterator[Cluster]:
    """Start a cluster or connect to one; what was started is stopped at the end.

    Parameters
    ----------
    name
        ``local:4`` starts four processes on this machine, ``slurm:16`` sixteen jobs of SLURM, as
        the configuration of dask-jobqueue says; an address such as ``tcp://10.0.0.1:8786`` is that
        of a scheduler.

    Raises
    ------
    ParameterError
        If the name is none of these.
    MissingDependencyError
        If Dask is not installed.
    OutputError
        If nobody answers, or no cluster can be started.
    """
    own, address = _OWN.fullmatch(name), _ADDRESS.fullmatch(name)
    count = int(own[2]) if own and own[2] else None
    if not (own or address) or count == 0:
        raise ParameterError("jobs.bad_cluster", cluster=name)
    dask, distributed = _library("dask"), _library("distributed")
    logging.getLogger("distributed").setLevel(logging.ERROR)
    chosen = {
        "distributed.scheduler.allowed-failures": _MOST_DEATHS,
        # Blocks are long: one that waits at a worker would be missed by another that is free.
        "distributed.scheduler.worker-saturation": 1.0,
    }
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(chosen))
        try:
            started: Any = name
            if own and own[1] == "local":
                started = stack.enter_context(_local(distributed, count))
            elif own:
                started = stack.enter_context(_slurm(dask, count or _SLURM_WORKERS))
            client = distributed.Client(started, timeout=_PATIENCE_S)
            stack.enter_context(client)
        except (OSError, TimeoutError, RuntimeError, ValueError) as error:
            raise OutputError("jobs.no_cluster", cluster=name, reason=_reason(error)) from error
        yield Cluster(name, client)


def _local(distributed: ModuleType, workers: int | None) -> Any:  # noqa: ANN401
    """Start processes here; each runs its libraries in a single thread."""
    from locisimiles.jobs.processes import THREADS, physical_cores

    return distributed.LocalCluster(
        n_workers=workers or physical_cores(),
        threads_per_worker=1,
        memory_limit=0,  # Dask would stop workers that map large files
        dashboard_address=":0",
        env=dict.fromkeys(THREADS, "1"),
    )


def _slurm(dask: ModuleType, workers: int) -> Any:  # noqa: ANN401
    """Submit jobs, and further ones for those that end or are killed."""
    jobqueue = _library("dask_jobqueue")
    usual = {"cores": 1, "processes": 1, "memory": "4GiB", "walltime": "24:00:00"}
    cluster = jobqueue.SLURMCluster(
        **{name: _configured(dask, name) or value for name, value in usual.items()}
    )
    cluster.adapt(minimum_jobs=workers, maximum_jobs=workers)
    return cluster


def _configured(dask: ModuleType, name: str) -> object:
    value = dask.config.get(f"jobqueue.slurm.{name}", None)
    # What dask-jobqueue says itself is too short for most jobs.
    return None if (name, value) == ("walltime", "00:30:00") else value


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingDependencyError(
            "jobs.needs_cluster", install=install_command(extra="cluster")
        ) from error


def _reason(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
