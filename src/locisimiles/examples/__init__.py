"""Example texts: Jerome, Lactantius and Valerius Flaccus, and the authors they cite.

Twenty-two of the forty-two query segments refer to one or more of the 204 source segments. The
ground truth lists these references, with types as in the benchmark. All texts are in the public
domain, in the spelling of common editions.
"""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from locisimiles.corpus import Document

__all__ = [
    "KnownReference",
    "example_path",
    "load_example_ground_truth",
    "load_example_query",
    "load_example_source",
]


class KnownReference(NamedTuple):
    """A reference noted by scholars."""

    query_id: str
    source_id: str
    label: str


def example_path(name: str) -> Path:
    """Return the path of an example file: ``query.csv``, ``source.csv`` or ``ground_truth.csv``."""
    return Path(str(resources.files("locisimiles.examples") / "data" / name))


def load_example_query() -> Document:
    """Load the query segments: Jerome, Lactantius, Valerius Flaccus.

    Examples
    --------
    >>> load_example_query()
    <Document: 42 segments by Jerome, Lactantius, Valerius Flaccus>
    """
    return Document(example_path("query.csv"))


def load_example_source() -> Document:
    """Load the source segments: Virgil, Cicero, Horace, Ovid, Lucretius, Lucan, Statius.

    Examples
    --------
    >>> len(load_example_source())
    204
    """
    return Document(example_path("source.csv"))


def load_example_ground_truth() -> list[KnownReference]:
    """Load the known references between the two.

    Examples
    --------
    >>> load_example_ground_truth()[0]
    KnownReference(query_id='hier. epist. 130.5.5.3', source_id='verg. aen. 2.774.1', label='cit')
    """
    with example_path("ground_truth.csv").open(encoding="utf-8", newline="") as stream:
        return [KnownReference(**row) for row in csv.DictReader(stream)]
