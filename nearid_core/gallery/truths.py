"""The planted truths of the gallery."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.components import random_rotation
from nearid_core.gallery.planted import GALLERY, SAMPLES, Planted, numbered

SOURCES = 5
NOISE = 0.01  # of a run's latents, standard deviations of a source
CORRELATION = 0.6
CLASSES = 6


def turned(sources: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A rotation and a mild stretch of its own for each run: what retraining may do to a layer."""
    width = sources.shape[1]
    stretched = sources @ random_rotation(width, rng) * rng.uniform(0.8, 1.25, width)
    return stretched + NOISE * rng.standard_normal(sources.shape)


def rotated(sources: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return sources @ random_rotation(sources.shape[1], rng) + NOISE * rng.standard_normal(sources.shape)


def collapsed(sources: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One live latent, which follows the first source."""
    latents = 1e-3 * rng.standard_normal(sources.shape)
    latents[:, 0] += sources[:, 0]
    return latents


def laplace(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    sources = rng.laplace(scale=np.sqrt(0.5), size=(SAMPLES, SOURCES))
    return sources, numbered(sources)


def gaussian(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    sources = rng.standard_normal((SAMPLES, SOURCES))
    return sources, numbered(sources)


def sphere(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    points = rng.standard_normal((SAMPLES, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points, pd.DataFrame(points, columns=["x", "y", "z"])


def uniform(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    sources = rng.uniform(-1, 1, (SAMPLES, SOURCES))
    return sources, numbered(sources)


def simplex(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    """Corners of a regular simplex, a class each, with a little noise."""
    classes = rng.integers(0, CLASSES, SAMPLES)
    corners = np.eye(CLASSES) - 1 / CLASSES
    plane = np.linalg.svd(corners)[0][:, : CLASSES - 1]  # the corners span one dimension less than there are
    sources = corners[classes] @ plane + 0.05 * rng.standard_normal((SAMPLES, CLASSES - 1))
    return sources, pd.DataFrame({"class": np.array(list("ABCDEF"))[classes]})


def correlated(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    sources = rng.laplace(scale=np.sqrt(0.5), size=(SAMPLES, SOURCES))
    sources[:, 1] = CORRELATION * sources[:, 0] + np.sqrt(1 - CORRELATION**2) * sources[:, 1]
    return sources, numbered(sources)


for _truth in (
    Planted(
        "laplace",
        "Independent and non-Gaussian",
        "where everything works",
        "Runs agree up to a rotation, ICA finds every source, and every component comes back: statistical and "
        "structural near-identifiability.",
        laplace,
        turned,
    ),
    Planted(
        "gaussian",
        "Gaussian",
        "statistical without structural",
        "Runs agree as well as ever up to a rotation, yet no component is identified and ICA does no better than "
        "random rotations: of Gaussian sources every axis is as good.",
        gaussian,
        rotated,
    ),
    Planted(
        "sphere",
        "A sphere",
        "non-Gaussian, and still without axes",
        "Each coordinate is far from Gaussian, and any rotation is as good: no component gains over being turned, so "
        "none is identified. All of them form one block, which comes back as a subspace.",
        sphere,
        rotated,
    ),
    Planted(
        "collapse",
        "Collapse",
        "a score that praises what it should not",
        "One latent lives and says one factor, which InfoM finds perfect. MCC, InfoE and the number of active "
        "directions see that four of five factors are gone.",
        uniform,
        collapsed,
    ),
    Planted(
        "simplex",
        "A simplex of classes",
        "a score that anything gets",
        "Six classes at the corners of a simplex, as classifiers make them. Every axis tells some classes apart, "
        "random ones too, so a high MCC with the class is no sign that ICA found anything.",
        simplex,
        rotated,
        "class",
    ),
    Planted(
        "correlated",
        "Correlated factors",
        "an assumption that fails",
        "Two of five factors correlate by .6. ICA returns what is independent, and so a mixture in place of the "
        "second; the other three are found.",
        correlated,
        turned,
    ),
):
    GALLERY.register(_truth)
