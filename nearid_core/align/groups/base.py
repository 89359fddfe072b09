"""What every group of transformations shares: fit on paired rows, transform new ones."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from nearid_core.components.whitening import check_finite, rounding_error
from nearid_core.errors import InvalidInput


@dataclass(frozen=True, eq=False)
class Paired:
    """Centred float64 rows of two representations of the same samples, with the products that every group reads.

    other : (n, D_other); reference : (n, D_reference); both minus their means.
    other_rounding : error of one stored number of `other`.
    """

    other: np.ndarray
    reference: np.ndarray
    other_mean: np.ndarray
    reference_mean: np.ndarray
    other_rounding: float

    @classmethod
    def of(cls, other: np.ndarray, reference: np.ndarray) -> Paired:
        # float64 first, then the means: a float32 Gram goes wrong below a relative residual of 1e-3
        b, a = np.asarray(other, dtype=np.float64), np.asarray(reference, dtype=np.float64)
        rounding = rounding_error(np.asarray(other))
        return cls(b - b.mean(axis=0), a - a.mean(axis=0), b.mean(axis=0), a.mean(axis=0), rounding)

    @property
    def width(self) -> int:
        """Columns when the narrower one is padded with zero columns."""
        return max(self.other.shape[1], self.reference.shape[1])

    @cached_property
    def cross(self) -> np.ndarray:
        """(width, width) padded cross-product, other by reference."""
        padded = np.zeros((self.width, self.width))
        padded[: self.other.shape[1], : self.reference.shape[1]] = self.other.T @ self.reference
        return padded

    @cached_property
    def gram(self) -> np.ndarray:
        """(D_other, D_other)"""
        return self.other.T @ self.other


class Alignment(TransformerMixin, BaseEstimator):
    """Maps one representation onto another by a member of a group: ``scale_ * z @ matrix_ + offset_``.

    The narrower representation is padded with zero columns, so that all groups count the same columns; only `Linear`
    maps straight to the reference's columns.

    Attributes
    ----------
    matrix_ : array of shape (D_other, width), the linear part without its scale.
    offset_ : array of shape (width,), the translation.
    scale_ : float, 1 but for `Similarity`.
    rank_ : int, rank of the linear part.
    """

    name: ClassVar[str]
    description: ClassVar[str]

    def fit(self, other: np.ndarray, reference: np.ndarray) -> Alignment:
        """Find the member of the group that maps `other` onto `reference` with least squared error.

        other : (n, D_other); reference : (n, D_reference), rows of the same samples.

        Raises InvalidInput for arrays that are not paired matrices of finite numbers.
        """
        check_pair(other, reference)
        return self.fit_paired(Paired.of(other, reference))

    def fit_paired(self, pair: Paired) -> Alignment:
        """`fit` from products that several groups share."""
        self.matrix_, self.scale_ = self._solve(pair)
        self.rank_ = self._rank(pair)
        target_mean = np.zeros(self.matrix_.shape[1])
        target_mean[: len(pair.reference_mean)] = pair.reference_mean
        self.offset_ = target_mean - self.scale_ * pair.other_mean @ self.matrix_
        self.n_features_in_ = len(pair.other_mean)
        return self

    def transform(self, other: np.ndarray) -> np.ndarray:
        """(n, width) float64."""
        check_is_fitted(self, "matrix_")
        values = np.asarray(other, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != self.n_features_in_:
            raise InvalidInput(
                f"{type(self).__name__} was fitted on {self.n_features_in_} columns; found shape {values.shape}."
            )
        return self.scale_ * values @ self.matrix_ + self.offset_

    @abstractmethod
    def _solve(self, pair: Paired) -> tuple[np.ndarray, float]:
        """The linear part (D_other, width) and its scale."""

    def _rank(self, pair: Paired) -> int:
        return min(pair.other.shape[1], pair.reference.shape[1])


def check_pair(other: np.ndarray, reference: np.ndarray) -> None:
    """Raise InvalidInput unless these are two matrices of finite numbers with the same number of rows."""
    b, a = np.asarray(other), np.asarray(reference)
    for name, array in (("The other array", b), ("The reference array", a)):
        if array.ndim != 2 or not np.issubdtype(array.dtype, np.number) or 0 in array.shape:
            raise InvalidInput(f"{name} has shape {array.shape} and type {array.dtype}; expected a matrix of numbers.")
        check_finite(array, name)
        if (array == array[0]).all():
            raise InvalidInput(f"{name} is constant: its {len(array)} rows are equal, so nothing can be aligned.")
    if len(a) != len(b):
        raise InvalidInput(
            f"The arrays have {len(b)} and {len(a)} rows; expected the same samples in both, one row each."
        )


def pad(values: np.ndarray, width: int) -> np.ndarray:
    """`values` with zero columns added up to `width`."""
    return np.pad(values, ((0, 0), (0, max(0, width - values.shape[1]))))
