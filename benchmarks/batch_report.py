"""A batch report of 100,000 x 384 float32 with 20 batches: CPU seconds and memory.

python benchmarks/batch_report.py [ROWS]
"""

import resource
import sys
import time

import numpy as np
import pandas as pd

import nearid_core as nid

FEATURES, BATCHES, LABELS, FACTORS = 384, 20, 50, 48


def planted(rows: int, seed: int = 0) -> tuple[np.ndarray, pd.DataFrame]:
    """Laplace factors, a quarter moved by batch and a quarter by label, mixed at random; with controls and wells."""
    rng = np.random.default_rng(seed)
    batch, label = rng.integers(BATCHES, size=rows), rng.integers(LABELS, size=rows)
    factors = rng.laplace(size=(rows, FACTORS)).astype(np.float32)
    quarter = FACTORS // 4
    factors[:, :quarter] += rng.laplace(size=(BATCHES, quarter))[batch]
    factors[:, quarter : 2 * quarter] += rng.laplace(size=(LABELS, quarter))[label]
    values = factors @ rng.standard_normal((FACTORS, FEATURES), dtype=np.float32)
    values += rng.standard_normal((rows, FEATURES), dtype=np.float32)
    names = {"batch": np.char.add("plate-", batch.astype(str)), "label": np.char.add("drug-", label.astype(str))}
    well = np.char.add(rng.choice(list("ABCDEFGH"), rows), (1 + rng.integers(12, size=rows)).astype(str))
    ids = np.char.add("cell-", np.arange(rows).astype(str))
    return values, pd.DataFrame({"sample_id": ids, **names, "well": well})


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    values, samples = planted(rows)
    began = time.process_time()
    report = nid.batch_report(
        values,
        samples,
        batch="batch",
        label="label",
        control="drug-0",
        position="well",
        on_progress=lambda progress: print(f"{time.process_time() - began:7.1f} s  {progress.what}", flush=True),
    )
    print(report.verdict)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{rows:,} x {FEATURES}: {time.process_time() - began:.1f} CPU s, {peak:.2f} GiB resident at most")


if __name__ == "__main__":
    main()
