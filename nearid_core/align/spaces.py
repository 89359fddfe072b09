"""The two spaces in which runs are compared, and what each group predicts there.

Latent space: the representation as it is. Component space: the whitened representation, in which the groups are nested
and ICA competes on equal terms (the statement of Theorem 2, arXiv 2603.11970).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nearid_core.align.diameters import Diameter, diameter
from nearid_core.align.groups import (
    Alignment,
    Identity,
    Linear,
    Paired,
    Permutation,
    Rigid,
    SignedPermutation,
    Similarity,
    pad,
)
from nearid_core.components import Components

LADDER: dict[str, type[Alignment]] = {
    group.name: group for group in (Identity, Permutation, SignedPermutation, Rigid, Similarity, Linear)
}
_ON_AXES = ("identity", "permutation", "signed_permutation")  # these ask about axes, so they get the latents' own


@dataclass(frozen=True, eq=False)
class Frame:
    """One run's coordinates on the fit and the held-out rows.

    fit, heldout : (n, D) in the stored dtype; components : fitted on `fit`.
    """

    fit: np.ndarray
    heldout: np.ndarray
    components: Components

    @cached_property
    def own(self) -> tuple[np.ndarray, np.ndarray]:
        """ZCA-whitened: the whitened coordinates closest to the latent's own axes."""
        whitening = self.components.whitening
        return whitening.zca(self.fit), whitening.zca(self.heldout)

    @cached_property
    def white(self) -> tuple[np.ndarray, np.ndarray]:
        whitening = self.components.whitening
        return whitening.transform(self.fit), whitening.transform(self.heldout)

    @cached_property
    def independent(self) -> tuple[np.ndarray, np.ndarray]:
        return self.white[0] @ self.components.rotation.T, self.white[1] @ self.components.rotation.T

    @cached_property
    def latent_diameter(self) -> Diameter:
        return diameter(self.heldout)

    @cached_property
    def component_diameter(self) -> Diameter:
        return diameter(self.white[1])


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a group says of the reference's held-out rows, from the other run's.

    target, predicted : (n_heldout, width); fit : the reference's fit rows in the same coordinates.
    rank : of the map; unmatched : variance of columns without a partner, as part of the reference's variance.
    """

    space: str
    group: str
    fit: np.ndarray
    target: np.ndarray
    predicted: np.ndarray
    unit: Diameter
    rank: int
    unmatched: float


def predict(reference: Frame, other: Frame, groups: Sequence[str]) -> Iterator[Prediction]:
    """Every group in both spaces, for one ordered pair of runs; `other` is mapped onto `reference`."""
    yield from _latent(reference, other, groups)
    yield from _component(reference, other, groups)


def _latent(reference: Frame, other: Frame, groups: Sequence[str]) -> Iterator[Prediction]:
    pair, unit = Paired.of(other.fit, reference.fit), reference.latent_diameter
    for group in (group for group in groups if group in LADDER):
        yield _fitted("latent", group, pair, (reference.fit, reference.heldout), other.heldout, unit)
    carried = {"whitened_rigid": (Rigid, "white"), "ica": (SignedPermutation, "independent")}
    for group, (kind, coordinates) in carried.items():
        if group not in groups:
            continue
        a, b = getattr(reference, coordinates), getattr(other, coordinates)
        alignment = kind().fit_paired(Paired.of(b[0], a[0]))
        coded = alignment.transform(b[1])[:, : reference.components.rank]
        back = reference.components.whitening if group == "whitened_rigid" else reference.components
        unmatched = _unmatched(alignment, a[1], b[1])
        target = np.asarray(reference.heldout, dtype=np.float64)
        predicted = back.inverse_transform(coded)
        yield Prediction("latent", group, reference.fit, target, predicted, unit, alignment.rank_, unmatched)


def _component(reference: Frame, other: Frame, groups: Sequence[str]) -> Iterator[Prediction]:
    unit = reference.component_diameter
    pairs = {name: Paired.of(getattr(other, name)[0], getattr(reference, name)[0]) for name in ("own", "white")}
    for group in (group for group in groups if group in LADDER):
        name = "own" if group in _ON_AXES else "white"
        yield _fitted("component", group, pairs[name], getattr(reference, name), getattr(other, name)[1], unit)
    if "ica" in groups:
        pair = Paired.of(other.independent[0], reference.independent[0])
        signed = _fitted("component", SignedPermutation.name, pair, reference.independent, other.independent[1], unit)
        yield Prediction(**{**vars(signed), "group": "ica"})


def _fitted(
    space: str,
    group: str,
    pair: Paired,
    reference: tuple[np.ndarray, np.ndarray],
    other_heldout: np.ndarray,
    unit: Diameter,
) -> Prediction:
    alignment = LADDER[group]().fit_paired(pair)
    predicted = alignment.transform(other_heldout)
    fit, target = (pad(np.asarray(rows, dtype=np.float64), predicted.shape[1]) for rows in reference)
    unmatched = _unmatched(alignment, reference[1], other_heldout)
    return Prediction(space, group, fit, target, predicted, unit, alignment.rank_, unmatched)


def _unmatched(alignment: Alignment, reference: np.ndarray, other: np.ndarray) -> float:
    """Variance that the narrower side leaves without a partner, as part of the reference's; 0 for equal widths.

    Of the reference: what lies outside the image of the map. Of the other run: what is mapped onto padding.
    """
    if isinstance(alignment, Linear) or reference.shape[1] == other.shape[1]:
        return 0.0
    total = reference.var(axis=0, dtype=np.float64).sum()
    if other.shape[1] > reference.shape[1]:
        spare = alignment.transform(other)[:, reference.shape[1] :]
        return float(spare.var(axis=0).sum() / total)
    reached = np.asarray(reference, dtype=np.float64) @ alignment.matrix_.T  # its rows are orthonormal
    return float(1.0 - reached.var(axis=0).sum() / total)
