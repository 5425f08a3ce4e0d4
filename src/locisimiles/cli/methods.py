"""``locisimiles methods``."""

from __future__ import annotations

__all__ = ["methods"]


def methods() -> None:
    """List the ways of finding candidates: what each does and needs, how fast and good it is.

    Recall is that of the benchmark among the first hundred candidates, both types of references
    pooled, where it has been measured; `locisimiles benchmark run` measures it anew.

    Examples:

    - `locisimiles methods`
    """
    from locisimiles.benchmark.runs.recorded import measured_recall
    from locisimiles.cli.tables import print_table
    from locisimiles.retrieve import METHODS

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
    print_table(["method", "what it compares", "needs", "takes", "R@100"], rows)
