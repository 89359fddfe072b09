"""One cell as a microscope sees it, from its factors."""

from __future__ import annotations

import numpy as np

from nearid_core.datasets._cells_factors import FACTORS

SIDE = 32
CHANNELS = ("actin", "organelles", "DNA")  # in this order they make the usual colours: nuclei are blue

JITTER = 0.15  # standard deviation of the crop's centre, pixels
LOBES = 4  # waves of the outline, 2 to 5 of them once around the cell
LOBE = 0.012  # standard deviation of each wave's height, relative to the radius
MOST_PUNCTA = 80  # 30 exp(0.32 * 3) at most
PUNCTUM = 1.2  # radius (one standard deviation), pixels
EDGE = 0.35  # half-width of the membranes' edges, pixels
FIBRE_PERIOD = 7.0  # pixels
NOISE = 0.012  # standard deviation of the camera's

# Distance, angle and brightness of points that are spread evenly however many there are (Roberts 2018, the R2 sequence)
_STEPS = np.array([0.7548777, 0.5698403, 0.6180340], dtype=np.float32)[:, None, None]
EVENLY = _STEPS * np.arange(MOST_PUNCTA, dtype=np.float32)
_GRID = np.arange(SIDE, dtype=np.float32) - (SIDE - 1) / 2


def render(factors: np.ndarray, rng: np.random.Generator, noise: float = NOISE) -> np.ndarray:
    """(n, factors), in the order of FACTORS, to (n, 3, 32, 32) float32 in [0, 1].

    A factor of 0 is the usual cell or microscope, 1 a typical difference. What has no factor (the crop's centre, the
    outline, where the puncta are, the camera's noise) is drawn from `rng`, by amounts that do not depend on the
    factors: the same state gives the same cell seen or treated otherwise.
    """
    at = dict(zip(FACTORS, np.asarray(factors, dtype=np.float32).T[:, :, None, None], strict=True))
    signal = _cell(at, rng)
    seen = _optics(signal, at)
    seen += noise * rng.standard_normal(seen.shape, dtype=np.float32)
    return np.clip(seen, 0, 1, out=seen)


def _cell(at: dict[str, np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """(n, 3, side, side) of light that each channel's dye gives off.

    The crop is centred on the nucleus and turned so that its long axis is horizontal.
    """
    n = len(at["bio_spread"])
    centre = JITTER * rng.standard_normal((2, n, 1, 1), dtype=np.float32)
    waves = LOBE * rng.standard_normal((2, LOBES, n, 1, 1), dtype=np.float32)
    scatter = (EVENLY + rng.random((3, n, 1), dtype=np.float32)) % 1
    scatter += 0.05 * rng.standard_normal(scatter.shape, dtype=np.float32)

    x, y = _GRID[None, None, :] - centre[0], _GRID[None, :, None] - centre[1]
    stretch = np.sqrt(1.7 * np.exp(0.17 * at["bio_elongation"]))  # the axes' ratio stays above 1
    radius = 4.6 * np.exp(0.11 * at["bio_nucleus_size"])
    nucleus = _filled(x / stretch + 1j * y * stretch, radius)
    spread = 10.5 * np.exp(0.04 * at["bio_spread"])
    place = x / np.sqrt(stretch) + 1j * y * np.sqrt(stretch)  # the cell is drawn out less than its nucleus
    body = np.maximum(_filled(place, spread * _outline(place, waves)), nucleus)
    cytoplasm = body * (1 - 0.7 * nucleus)

    fibres = np.clip(0.5 + 0.165 * at["bio_fibres"], 0, None) * np.cos(2 * np.pi / FIBRE_PERIOD * y)
    actin = 0.5 * cytoplasm * (1 + fibres)
    organelles = 0.1 * cytoplasm + 0.15 * _puncta(x, y, (radius, spread, np.sqrt(stretch)), at["bio_puncta"], scatter)
    dna = 0.4 * np.exp(0.2 * at["bio_nucleus_intensity"]) * nucleus
    return np.stack([actin, organelles, dna], axis=1)


def _filled(place: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """0 to 1 across the edge of a disc; place : x + iy."""
    return 0.5 + 0.5 * np.tanh((radius - np.abs(place)) / (2 * EDGE))


def _outline(place: np.ndarray, waves: np.ndarray) -> np.ndarray:
    """Radius of the outline over that of a circle, in the direction of each place, (n, side, side)."""
    direction = place / np.maximum(np.abs(place), 1e-6)
    height = np.zeros_like(direction)
    for wave in (waves[0] + 1j * waves[1])[::-1]:
        height = (height + wave) * direction
    return 1 + (height * direction).real


def _puncta(
    x: np.ndarray, y: np.ndarray, shape: tuple[np.ndarray, ...], factor: np.ndarray, scatter: np.ndarray
) -> np.ndarray:
    """(n, side, side) of points between nucleus and membrane; the factor says how many, a fraction is a dim one.

    shape : radius of the nucleus, radius of the cell, how much longer the cell is than that.
    """
    inner, outer, longer = (side[:, 0] for side in shape)
    count = 30 * np.exp(0.32 * factor[:, 0])
    there = np.clip(count - np.arange(MOST_PUNCTA, dtype=np.float32), 0, 1) * (0.6 + 0.8 * scatter[2])
    distance = inner + (0.95 * outer - inner).clip(0) * np.sqrt(scatter[0].clip(0, 1))
    angle = 2 * np.pi * scatter[1]
    along_x = _bell((x - (distance * longer * np.cos(angle))[:, :, None]) / PUNCTUM)
    along_y = _bell((y.transpose(0, 2, 1) - (distance / longer * np.sin(angle))[:, :, None]) / PUNCTUM)
    return (there[:, :, None] * along_y).transpose(0, 2, 1) @ along_x


def _optics(signal: np.ndarray, at: dict[str, np.ndarray]) -> np.ndarray:
    """Bleed-through, defocus, uneven illumination, gain and the camera's offset."""
    seen = signal.copy()
    seen[:, 2] += (0.25 + 0.08 * at["tech_crosstalk"]) * signal[:, 0]
    seen = _blurred(seen, _blur(1.05 + 0.3 * at["tech_blur"]))
    across = 0.2 / _GRID[-1] * _GRID
    light = 1 + at["tech_slope_x"] * across[None, None, :] + at["tech_slope_y"] * across[None, :, None]
    seen *= (np.exp(0.1 * at["tech_gain"]) * light.clip(0))[:, None]
    return seen + (0.08 + 0.013 * at["tech_background"])[:, None]


def _blurred(seen: np.ndarray, blur: np.ndarray) -> np.ndarray:
    """Both axes of (n, 3, side, side) by the matrices of `_blur`, as two large products an image."""
    n, channels = seen.shape[:2]
    across = np.ascontiguousarray(blur.transpose(0, 2, 1))
    for _ in range(2):  # blur the last axis, and put it before the other
        seen = (seen.reshape(n, -1, SIDE) @ across).reshape(n, channels, SIDE, SIDE).transpose(0, 1, 3, 2)
    return np.ascontiguousarray(seen)


def _blur(width: np.ndarray) -> np.ndarray:
    """(n, side, side) matrices that blur one axis by a Gaussian of `width` pixels and keep a constant as it is."""
    weights = _bell((_GRID[:, None] - _GRID[None, :]) / width)
    return weights / weights.sum(-1, keepdims=True)


def _bell(distance: np.ndarray) -> np.ndarray:
    """Gaussian of height 1, cut before products of two are denormal numbers, which processors are slow at."""
    return np.exp(-np.minimum(0.5 * np.square(distance), 40))
