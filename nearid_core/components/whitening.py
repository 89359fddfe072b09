"""Whitening: coordinates of identity covariance, found on the fit half and applied to any rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nearid_core.errors import InvalidInput

_SQUARES_FIT = 1e140  # magnitudes up to here can be squared and summed in float64
_RELATIVE = 1e-12  # eigenvalues below this part of the largest are arithmetic noise of float64


@dataclass(frozen=True, eq=False)
class Whitening:
    """The eigendecomposition of a covariance, cut at its numerical rank r.

    mean : (D,); eigenvalues : (r,), descending; eigenvectors : (D, r), largest loading of each positive.
    n_fit : rows it was fitted on.
    scale : (D,) what the columns were divided by first, or None where they were taken as they are.
    """

    mean: np.ndarray
    eigenvalues: np.ndarray
    eigenvectors: np.ndarray
    n_fit: int
    scale: np.ndarray | None = None

    @property
    def rank(self) -> int:
        return len(self.eigenvalues)

    def transform(self, values: np.ndarray) -> np.ndarray:
        """PCA-whitened coordinates, (n, r) float64."""
        return self._centred(values) @ (self.eigenvectors / np.sqrt(self.eigenvalues))

    def zca(self, values: np.ndarray) -> np.ndarray:
        """Whitened coordinates closest to the values' own axes, (n, D) float64 of rank r."""
        return self.transform(values) @ self.eigenvectors.T

    def inverse_transform(self, white: np.ndarray) -> np.ndarray:
        """From whitened coordinates back to values, (n, D)."""
        return self.mean + white @ self.mixing.T

    @property
    def mixing(self) -> np.ndarray:
        """(D, r): what one standard deviation along each direction adds to the values, in their units."""
        mixing = self.eigenvectors * np.sqrt(self.eigenvalues)
        return mixing if self.scale is None else self.scale[:, None] * mixing

    @property
    def unmixing(self) -> np.ndarray:
        """(r, D): coordinates are ``(values - mean) @ unmixing.T``."""
        unmixing = (self.eigenvectors / np.sqrt(self.eigenvalues)).T
        return unmixing if self.scale is None else unmixing / self.scale

    def leading(self, count: int) -> Whitening:
        """The first directions only."""
        return replace(self, eigenvalues=self.eigenvalues[:count], eigenvectors=self.eigenvectors[:, :count])

    def _centred(self, values: np.ndarray) -> np.ndarray:
        centred = np.asarray(values, dtype=np.float64) - self.mean
        return centred if self.scale is None else centred / self.scale


def whiten(
    values: np.ndarray, n_components: int | None = None, *, standardise: bool = False, name: str = "The array"
) -> Whitening:
    """Fit a whitening.

    values : (n, D), any real dtype; cast to float64 before the means are subtracted.
    n_components : keep at most this many leading directions.
    standardise : divide each column by its standard deviation first, for columns in different units: which directions
        lead then does not depend on the units. Constant columns are divided by 1.
    name : what to call the values in an error.

    Eigenvalues are dropped where they are no larger than what rounding of the *stored* dtype produces: float16 data of
    rank 3 would otherwise give D unit-variance components, D - 3 of them rounding noise.

    Raises InvalidInput for NaN or infinite values, constant input, and no more rows than the rank.
    """
    stored = np.asarray(values)
    check_finite(stored, name)
    data = stored.astype(np.float64)
    largest_value = float(np.abs(data).max())
    if largest_value > _SQUARES_FIT or 0 < largest_value < 1 / _SQUARES_FIT:
        raise InvalidInput(
            f"{name} has values of magnitude {largest_value:.0e}, whose squares are no numbers; rescale it."
        )
    mean = data.mean(axis=0)
    centred = data - mean
    scale = column_scale(centred, rounding_error(stored)) if standardise else None
    if scale is not None:
        centred /= scale
    eigenvalues, eigenvectors = np.linalg.eigh(centred.T @ centred / len(centred))
    eigenvalues, eigenvectors = eigenvalues[::-1], eigenvectors[:, ::-1]
    rounding = rounding_error(stored) if scale is None else _RELATIVE
    kept = eigenvalues > spectrum_floor(eigenvalues[0], rounding)
    rank = int(kept.sum()) if n_components is None else min(int(kept.sum()), n_components)
    if rank == 0:
        raise InvalidInput(
            f"{name} is constant: all {len(data)} rows are equal up to rounding, so nothing can be compared."
        )
    if len(data) <= rank + 1:  # the mean takes one: n rows always span n - 1 directions exactly
        raise InvalidInput(
            f"{name} has {len(data)} rows and {data.shape[1]} columns: so few rows span all of the {rank} directions "
            f"there are, whatever they hold; bring more samples than columns, or keep fewer columns."
        )
    vectors = eigenvectors[:, :rank]
    largest = np.abs(vectors).argmax(axis=0)
    vectors = vectors * np.where(vectors[largest, np.arange(rank)] < 0, -1.0, 1.0)
    return Whitening(mean, eigenvalues[:rank].copy(), vectors, len(data), scale)


def column_scale(centred: np.ndarray, rounding: float) -> np.ndarray:
    """Standard deviations of the columns, 1 for those that are constant up to rounding; (D,)."""
    spread = np.sqrt(np.einsum("ij,ij->j", centred, centred) / len(centred))
    return np.where(spread > rounding, spread, 1.0)


def check_finite(values: np.ndarray, name: str) -> None:
    """Raise InvalidInput naming the first row and column that holds NaN or infinity."""
    if not np.issubdtype(values.dtype, np.floating):
        return
    bad = ~np.isfinite(values)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InvalidInput(
            f"{name} holds {int(bad.sum())} NaN or infinite values, the first in row {row}, column {column}; "
            f"remove or fill them first."
        )


def spectrum_floor(largest: float, rounding: float) -> float:
    """Variance at or below which a direction is numerical noise.

    largest : leading eigenvalue of the covariance; rounding : error of one stored number, as `rounding_error` gives it.
    """
    return max(_RELATIVE * largest, rounding**2)


def rounding_error(stored: np.ndarray) -> float:
    """Spacing of the stored dtype at the largest magnitude: the scale of its rounding noise."""
    dtype = stored.dtype if np.issubdtype(stored.dtype, np.floating) else np.dtype(np.float64)
    return float(np.finfo(dtype).eps) * float(np.abs(stored).max())
