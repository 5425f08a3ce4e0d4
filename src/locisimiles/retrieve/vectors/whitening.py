"""Whitening: give every direction of a vector space the same variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.files.hashing import sha256_of
from locisimiles.models.vectors import unit_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LinearMap", "centring", "whitening"]

_SMALLEST = 1e-7  # of the largest variance; anything below is rounding


@dataclass(frozen=True, slots=True, eq=False)
class LinearMap:
    """Subtracts a mean from vectors, multiplies them by a matrix, if any, and normalizes them."""

    mean: NDArray[np.float32]
    matrix: NDArray[np.float32] | None = None

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return mapped vectors; zeros, which stand for empty texts, stay zeros."""
        mapped: NDArray[np.float32] = vectors - self.mean
        if self.matrix is not None:
            mapped = mapped @ self.matrix
        mapped[~vectors.any(axis=1)] = 0
        return unit_length(mapped)

    def fingerprint(self) -> str:
        """Return the SHA-256 of mean and matrix, for caches."""
        arrays = [self.mean] if self.matrix is None else [self.mean, self.matrix]
        return sha256_of(array.tobytes() for array in arrays)


def whitening(vectors: NDArray[np.float32], dimensions: int, *, scale: bool = True) -> LinearMap:
    r"""Fit a map to zero mean and, in the directions kept, uncorrelated components.

    With the covariance :math:`U \Lambda U^\top` of the vectors and their mean :math:`\mu`, a
    vector becomes

    .. math:: (x - \mu)\, U \Lambda^{-1/2}

    in at most `dimensions` directions, those with the largest variance (Su et al. 2021, *Whitening
    Sentence Representations*). Unless `scale`, the space is only rotated (PCA). Zeros are left out
    of the fit.

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
    if not len(kept):  # all vectors are equal
        return LinearMap(np.zeros(vectors.shape[1], np.float32))
    matrix = directions[:, kept]
    if scale:
        matrix = matrix / np.sqrt(variances[kept])
    return LinearMap(mean.astype(np.float32), matrix.astype(np.float32))


def centring(vectors: NDArray[np.float32]) -> LinearMap:
    """Fit a map that subtracts the mean, which the vectors of an encoder have in common.

    Examples
    --------
    >>> vectors = np.array([[3, 1], [1, 1]], np.float32)
    >>> centring(vectors)(vectors).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    rows = vectors[vectors.any(axis=1)]
    if len(np.unique(rows, axis=0)) < 2:  # noqa: PLR2004 - one vector would become zeros
        return LinearMap(np.zeros(vectors.shape[1], np.float32))
    return LinearMap(rows.mean(axis=0, dtype=np.float64).astype(np.float32))
