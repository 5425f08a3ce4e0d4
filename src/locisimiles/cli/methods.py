"""``locisimiles methods``."""

from __future__ import annotations

from locisimiles.cli.options import JsonOption  # noqa: TC001 - typer reads it
from locisimiles.cli.tables import print_table
from locisimiles.retrieve.methods import METHODS

__all__ = ["methods"]


def methods(as_json: JsonOption = False) -> None:
    """List the search methods: what each compares and needs, its speed and recall.

    R@100 is the benchmark's recall among the first hundred candidates, both types of references
    pooled, as recorded; `locisimiles benchmark run` measures it again.

    Examples:

    - `locisimiles methods`

    - `locisimiles methods --json`
    """
    from locisimiles.benchmark.runs.recorded import measured_recall

    recall = measured_recall()
    rows = [
        [
            method.name,
            method.description,
            method.needs or "nothing",
            method.speed,
            f"{100 * recall[method.name]:.1f}" if method.name in recall else "–",
        ]
        for method in METHODS.values()
    ]
    print_table(["method", "what it compares", "needs", "takes", "R@100"], rows, as_json=as_json)
