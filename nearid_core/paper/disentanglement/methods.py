"""What is held against each other in experiment 3, with what the paper has of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PIXELS = "pixels"

# quantity: (mean of four datasets, Shapes3D)
Published = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Method:
    """source : the family whose runs are read, or ``pixels``, for which nothing is trained. Methods of one source share
    its runs, and so what they were tuned to.

    space : the coordinates that are read, one of ``nearid_core.factors.SPACES``. discrete : latents are classes, which
        InfoMEC counts in place of looking for neighbours.
    published : of InfoM, InfoE and InfoC, in the table of disentanglement in arXiv 2603.11970, where it has a row.
    rival : whether the paper's claim is that AE + ICA beats it.
    """

    name: str
    title: str
    source: str
    space: str
    published: Published = field(default_factory=dict)
    discrete: bool = False
    rival: bool = True


OURS = Method(
    "ae_ica",
    "AE + ICA",
    "autoencoder",
    "ica",
    {"infom": (0.65, 0.79), "infoe": (0.83, 0.99), "infoc": (0.40, 0.52)},
    rival=False,
)
PLAIN = Method(
    "ae",
    "AE",
    "autoencoder",
    "raw",
    {"infom": (0.39, 0.34), "infoe": (0.76, 0.99), "infoc": (0.25, 0.16)},
)
OF_PIXELS = Method("pixels_ica", "PCA + ICA of pixels", PIXELS, "ica", rival=False)

METHODS = (
    OURS,
    PLAIN,
    Method("ae_random", "AE + random rotation", "autoencoder", "random"),
    OF_PIXELS,
    Method(
        "beta_vae",
        "beta-VAE",
        "beta_vae",
        "raw",
        {"infom": (0.59, 0.59), "infoe": (0.81, 0.99), "infoc": (0.55, 0.49)},
    ),
    Method(
        "beta_tcvae",
        "beta-TCVAE",
        "beta_tcvae",
        "raw",
        {"infom": (0.58, 0.61), "infoe": (0.72, 0.82), "infoc": (0.59, 0.62)},
    ),
    Method(
        "bio_ae",
        "BioAE",
        "bio_autoencoder",
        "raw",
        {"infom": (0.54, 0.56), "infoe": (0.75, 0.98), "infoc": (0.36, 0.44)},
    ),
    Method("quantized_ae", "quantised AE", "quantized_autoencoder", "raw", discrete=True),
)


def sources() -> list[str]:
    """Families that are trained, and ``pixels``; each once."""
    return list(dict.fromkeys(method.source for method in METHODS))
