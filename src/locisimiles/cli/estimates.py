"""Say what a search will take before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.cli.console import ProgressBar, say
from locisimiles.pipeline.estimate import seconds_to_encode, seconds_to_search
from locisimiles.progress import duration

if TYPE_CHECKING:
    from locisimiles.corpus import Document
    from locisimiles.pipeline import Pipeline, Searcher

__all__ = ["LONG", "announce", "estimate"]

LONG = 2000
"""The number of query segments from which a sample is worth its time."""


def estimate(pipeline: Pipeline, queries: Document, sources: Document, processes: int) -> None:
    """Say how large a search is and what it would take, without searching."""
    depth = pipeline.pairs_per_query
    verb = "rank" if pipeline.classifier is None else "judge"
    say(
        f"{len(queries):,} query segments in {len(sources):,} source segments, "
        f"up to {len(queries) * min(depth, len(sources)):,} pairs to {verb}"
    )
    encoding = seconds_to_encode(pipeline, sources)
    if encoding:
        say(f"encoding the sources: about {duration(encoding)}, less if they are in the cache")
        say("searching: known when the sources are encoded; build an index of them to know it")
        return
    with ProgressBar() as progress:
        searcher = pipeline.prepare(sources, progress=progress)
    announce(searcher, queries, processes)


def announce(searcher: Searcher, queries: Document, processes: int) -> None:
    """Say how long a prepared search takes, measured on a sample of its query segments."""
    seconds = seconds_to_search(searcher, queries) / processes
    where = "" if processes == 1 else f" in {processes} processes"
    say(f"searching {len(queries):,} query segments{where}: about {duration(seconds)}")
