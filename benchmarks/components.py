"""Independent components of 20,000 x 64 with all diagnostics: CPU seconds by part.

OMP_NUM_THREADS=1 python benchmarks/components.py [ROWS]
"""

import sys
import time

import numpy as np

import nearid_core as nid
from nearid_core.progress import Progress

LAPLACE, UNIFORM, GAUSSIAN = 28, 28, 8


def planted(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Sources, the Gaussian ones last, and their random mixture."""
    rng = np.random.default_rng(seed)
    kinds = (rng.laplace(size=(rows, LAPLACE)), rng.uniform(size=(rows, UNIFORM)), rng.normal(size=(rows, GAUSSIAN)))
    sources = np.column_stack(kinds)
    return sources, sources @ rng.normal(size=(sources.shape[1],) * 2)


class Parts:
    """CPU seconds between one part's first word and the next's."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last, self.what = time.process_time(), "start"

    def __call__(self, progress: Progress) -> None:
        now = time.process_time()
        self.seconds[self.what] = self.seconds.get(self.what, 0.0) + now - self.last
        self.last, self.what = now, progress.what


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    sources, values = planted(2 * rows)
    parts = Parts()
    began = time.process_time()
    fit = nid.fit_components(values[:rows], heldout=values[rows:], on_progress=parts)
    parts(Progress("end", 1, 1, 0.0))
    for part, seconds in parts.seconds.items():
        print(f"{seconds:7.1f} s  {part}")
    identified = fit.diagnostics["identified"].to_numpy()
    r = np.abs(np.corrcoef(fit.transform(values[rows:]).T, sources[rows:].T)[: fit.rank, fit.rank :])
    print(f"{rows:,} x {fit.rank}: {time.process_time() - began:.1f} CPU s")
    print(f"{identified.sum()} of {LAPLACE + UNIFORM} sources identified, lowest |r| {r[identified].max(1).min():.3f}")
    print(fit.blocks.groupby(["block", "reason"]).size().to_string())


if __name__ == "__main__":
    main()
