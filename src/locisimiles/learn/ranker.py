"""Train the network that ranks candidates in the second stage of the default search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.learn.listwise import Adam, Lists
from locisimiles.retrieve.combined.ranker import DIGITS, INPUT_SCALE, Ranker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["fit_ranker"]

_UNITS = 16
_STEPS = 300
_QUERIES = 200
_RATE, _DECAY = 0.03, 0.05
_INITIAL = 0.3
_DROPOUT = 0.2


def fit_ranker(
    names: Sequence[str],
    columns: Sequence[NDArray[np.float32]],
    right: Sequence[NDArray[np.bool_]],
    *,
    networks: int = 3,
) -> Ranker:
    """Train networks to rank right candidates first, and average them.

    Minimises the loss of `locisimiles.learn.listwise.fit_listwise` over batches of queries, with
    dropout in the hidden layer. A network starts as a sum with equal weights. The average of
    several networks is one network with all their hidden units.

    Parameters
    ----------
    names
        The names of the columns.
    columns, right
        As in `fit_listwise`.
    networks
        The number of networks.

    Examples
    --------
    >>> from locisimiles.candidates import Features
    >>> either = np.array([[1, 1], [0, 0], [1, 0], [0, 1]], np.float32)
    >>> ranker = fit_ranker(("a", "b"), [either] * 40, [np.array([True, False, False, False])] * 40)
    >>> int(ranker.scores(Features(("a", "b"), either)).argmax())
    0
    """
    lists = Lists.of(columns, right)
    trained = [_network(lists, np.random.default_rng(seed)) for seed in range(networks)]
    share = np.float32(1 / networks)
    return Ranker(
        tuple(names),
        linear=_rounded(np.mean([own["linear"] for own in trained], axis=0)),
        inner=_rounded(np.concatenate([own["inner"] for own in trained], axis=1)),
        shift=_rounded(np.concatenate([own["shift"] for own in trained])),
        outer=_rounded(np.concatenate([own["outer"] for own in trained]) * share),
    )


def _network(lists: Lists, rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Train one network."""
    size = lists.rows.shape[1]
    reach = 1 / np.sqrt(size)
    parts = {
        "linear": np.full(size, _INITIAL),
        "inner": rng.uniform(-reach, reach, (size, _UNITS)),
        "shift": rng.uniform(-reach, reach, _UNITS),
        "outer": np.zeros(_UNITS),
    }
    optimisers = {name: Adam(part.shape, _RATE, _DECAY, _STEPS) for name, part in parts.items()}
    for step in range(_STEPS):
        batch = lists.draw(_QUERIES, rng)
        for name, gradient in _gradients(parts, batch, rng).items():
            parts[name] = optimisers[name].moved(parts[name], gradient, step)
    return parts


def _gradients(
    parts: Mapping[str, NDArray[np.float64]], lists: Lists, rng: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    """Return the gradient of the loss with respect to each part."""
    linear, inner, shift, outer = (part.astype(np.float32) for part in parts.values())
    inputs = lists.rows * INPUT_SCALE
    hidden = np.tanh(inputs @ inner + shift)
    mask = (rng.random((len(hidden), len(outer)), np.float32) >= _DROPOUT) / np.float32(
        1 - _DROPOUT
    )
    shown = hidden * mask
    gradient = lists.gradient(lists.rows @ linear + shown @ outer)
    back = gradient[:, None] * outer * mask * (1 - hidden * hidden)
    return {
        "linear": (gradient @ lists.rows).astype(np.float64),
        "inner": (inputs.T @ back).astype(np.float64),
        "shift": back.sum(axis=0).astype(np.float64),
        "outer": (gradient @ shown).astype(np.float64),
    }


def _rounded(part: NDArray[np.float64]) -> NDArray[np.float32]:
    return part.round(DIGITS).astype(np.float32)
