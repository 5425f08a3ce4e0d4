"""Whitening: give every direction of a space of vectors the same weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.files.hashing import sha256_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LinearMap", "centring", "whitening"]

_SMALLEST = 1e-7  # of the largest variance: below it there is rounding and nothing else


@dataclass(frozen=True, slots=True, eq=False)
class LinearMap:
    """Moves, turns and stretches vectors, and gives them length 1.

    Attributes
    ----------
    mean
        What is taken away.
    matrix
        What the rest is multiplied with; None leaves it.
    """

    mean: NDArray[np.float32]
    matrix: NDArray[np.float32] | None = None

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return mapped vectors; zeros, which stand for no text, stay zeros."""
        mapped: NDArray[np.float32] = vectors - self.mean
        if self.matrix is not None:
            mapped = mapped @ self.matrix
        mapped[~vectors.any(axis=1)] = 0
        lengths = np.linalg.norm(mapped, axis=1, keepdims=True)
        unit: NDArray[np.float32] = np.zeros_like(mapped)
        np.divide(mapped, lengths, out=unit, where=lengths > 0)
        return unit

    def fingerprint(self) -> str:
        """Return a SHA-256 over it, which names it in caches."""
        arrays = [self.mean] if self.matrix is None else [self.mean, self.matrix]
        return sha256_of(array.tobytes() for array in arrays)


def whitening(vectors: NDArray[np.float32], dimensions: int, *, scale: bool = True) -> LinearMap:
    r"""Fit a map that gives vectors zero mean and, in the directions kept, no correlation.

    With the covariance :math:`U \Lambda U^\top` of the vectors and their mean :math:`\mu`, a
    vector becomes

    .. math:: (x - \mu)\, U \Lambda^{-1/2}

    in the directions with the largest variance (Su et al. 2021, *Whitening Sentence
    Representations*).

    Parameters
    ----------
    vectors
        What it is fitted on; rows of zeros are left out.
    dimensions
        How many directions are kept at most; fewer if the vectors have no more.
    scale
        Whether variances become equal; otherwise the space is only turned (PCA).

    Examples
    --------
    >>> vectors = np.array([[9, 1], [9, -1], [1, 1], [1, -1]], np.float32)
    >>> mapped = whitening(vectors, 2)(vectors)
    >>> np.allclose(abs(mapped), 0.5**0.5)
    True
    """
    rows = vectors[vectors.any(axis=1)].astype(np.float64)
    if not len(rows):
        return LinearMap(np.zeros(vectors.shape[1], np.float32))
    mean = rows.mean(axis=0)
    rows -= mean
    variances, directions = np.linalg.eigh(rows.T @ rows / len(rows))
    kept = np.arange(len(variances))[::-1][:dimensions]
    kept = kept[variances[kept] > max(variances[-1], 0) * _SMALLEST]
    if not len(kept):  # all vectors are the same, so there is no direction to prefer
        return LinearMap(np.zeros(vectors.shape[1], np.float32))
    matrix = directions[:, kept]
    if scale:
        matrix = matrix / np.sqrt(variances[kept])
    return LinearMap(mean.astype(np.float32), matrix.astype(np.float32))


def centring(vectors: NDArray[np.float32]) -> LinearMap:
    """Fit a map that takes away the mean, which vectors of an encoder have in common.

    Examples
    --------
    >>> vectors = np.array([[3, 1], [1, 1]], np.float32)
    >>> centring(vectors)(vectors).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    rows = vectors[vectors.any(axis=1)]
    if len(np.unique(rows, axis=0)) < 2:  # noqa: PLR2004 - nothing would be left of one
        return LinearMap(np.zeros(vectors.shape[1], np.float32))
    return LinearMap(rows.mean(axis=0, dtype=np.float64).astype(np.float32))
