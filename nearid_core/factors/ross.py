"""Mutual information of a continuous variable with classes, by nearest neighbours on the line.

Ross, PLoS ONE 2014, as scikit-learn computes it; in one dimension sorting takes the place of a tree.
"""

from __future__ import annotations

import numpy as np

EULER = 0.5772156649015329
JITTER = 1e-10  # of the larger of 1 and the mean magnitude: breaks ties, as scikit-learn does


def class_information(
    latents: np.ndarray, codes: np.ndarray, neighbours: int, rng: np.random.RandomState
) -> np.ndarray:
    """Mutual information of every latent with every factor, in nats, 0 or more; (factors, latents).

    latents : (n, D) real. codes : (n, K) int, classes numbered from 0. neighbours : k; a class of c <= k members uses
        c - 1, and classes of one are left out. rng : breaks ties.

    The values are those of ``sklearn.feature_selection.mutual_info_classif`` of one factor after the other and one
    latent at a time, with the same random state where values repeat; where none do, the jitter decides nothing. Not so
    where a class has at most 2 k members: there it takes distances from inner products, and their rounding decides
    whether the neighbour at the radius counts.
    """
    spread = latents.std(axis=0)
    scaled = latents / np.where(spread > 0, spread, 1.0)
    sorting = np.argsort(scaled, axis=0)
    along = np.take_along_axis(scaled, sorting, axis=0)
    repeats = bool((np.diff(along, axis=0) == 0).any())
    found = np.empty((codes.shape[1], latents.shape[1]))
    for factor, latent in np.ndindex(found.shape):
        points, order = along[:, latent], sorting[:, latent]
        if repeats:
            points, order = _jittered(scaled[:, latent], rng)
        found[factor, latent] = _information(points, codes[order, factor], neighbours)
    return np.maximum(found, 0.0)


def _jittered(values: np.ndarray, rng: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    """Values ascending, with their order, once none is exactly another."""
    moved = values + JITTER * max(1.0, float(np.abs(values).mean())) * rng.standard_normal(len(values))
    order = np.argsort(moved)
    return moved[order], order


def _information(along: np.ndarray, classes: np.ndarray, neighbours: int) -> float:
    """along : (n,) ascending; classes : (n,) of each point."""
    sizes = np.bincount(classes)
    if (sizes == 1).any():
        kept = sizes[classes] > 1
        along, classes = along[kept], classes[kept]
        sizes = np.bincount(classes)
    if len(along) == 0:
        return 0.0
    # by class, and within each along the line; numbers this short are sorted by radix
    order = np.argsort(classes.astype(np.int16) if len(sizes) < 2**15 else classes, kind="stable")
    within = along[order]
    size = sizes[classes[order]]
    reach = np.minimum(neighbours, size - 1)
    # one ulp less, so that the neighbour at the radius is not counted
    begin = np.repeat(np.cumsum(sizes) - sizes, sizes)
    radius = np.nextafter(_radii(within, begin, size, reach), 0.0)
    counted = _count_within(along, within, radius)
    psi = _digamma_to(len(along))
    return float(psi[len(along)] + np.mean(psi[reach] - psi[size] - psi[counted]))


def _radii(within: np.ndarray, begin: np.ndarray, size: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Distance of each point to its `reach`-th nearest within its class.

    Those are among the consecutive points about it: the least, over windows of reach + 1 points of the class that
    hold it, of the farther end. begin, size : where its class begins, and how many it has.
    """
    radius = np.full(len(within), np.inf)
    place = np.arange(len(within))
    before, after = place - begin, begin + size - 1 - place  # members of the class on either side
    for length in set(reach.tolist()):
        of_class = reach == length
        for left in range(length + 1):
            inner = slice(left, len(within) - (length - left))
            farther = np.maximum(within[inner] - within[: len(within) - length], within[length:] - within[inner])
            there = of_class[inner] & (before[inner] >= left) & (after[inner] >= length - left)
            np.minimum(radius[inner], farther, out=radius[inner], where=there)
    return radius


def _count_within(along: np.ndarray, points: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """How many of all points lie within the radius of each, itself included.

    ``points + radius`` is rounded, and so can take in the neighbour that the radius was made from, which biases the
    estimate: the ends of the range are decided by differences.
    """
    high = np.searchsorted(along, points + radius, "right")
    low = np.searchsorted(along, points - radius, "left")
    last = len(along) - 1
    while (over := along[high - 1] - points > radius).any():
        high -= over
    while (under := (high <= last) & (along[np.minimum(high, last)] - points <= radius)).any():
        high += under
    while (over := points - along[low] > radius).any():
        low += over
    while (under := (low > 0) & (points - along[low - 1] <= radius)).any():
        low -= under
    return high - low


_digamma = np.zeros(0)


def _digamma_to(largest: int) -> np.ndarray:
    """The digamma function of 0 (never asked for) to `largest`, from the harmonic numbers."""
    global _digamma
    if len(_digamma) <= largest:
        harmonic = np.cumsum(1.0 / np.arange(1, 2 * largest + 1))
        _digamma = np.concatenate([[np.nan], [-EULER], harmonic - EULER])
    return _digamma
