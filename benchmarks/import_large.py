"""Import 200,000 x 384 float32 from parquet: resident memory, CPU and wall time.

    python benchmarks/import_large.py [--rows 200000] [--columns 384] [--format parquet]

Prints one JSON line. The limits that hold for the defaults: 1.5 GiB resident, 60 CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

IMPORT = "--import"  # runs the import alone in a process of its own, so that making the file is not measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=384)
    parser.add_argument("--format", choices=("parquet", "csv", "npy", "npz"), default="parquet")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"large.{arguments.format}"
        write(file, arguments.rows, arguments.columns)
        subprocess.run([sys.executable, __file__, IMPORT, str(file), folder], check=True)


def write(file: Path, rows: int, columns: int) -> None:
    values = np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)
    if file.suffix == ".npy":
        np.save(file, values)
    elif file.suffix == ".npz":
        np.savez_compressed(file, embedding=values)
    else:
        import pyarrow as pa
        import pyarrow.csv
        import pyarrow.parquet as pq

        named = {"sample_id": [f"s{i:06d}" for i in range(rows)], "batch": [f"b{i % 7}" for i in range(rows)]}
        table = pa.table({**named, **{f"f{j}": values[:, j] for j in range(columns)}})
        pq.write_table(table, file) if file.suffix == ".parquet" else pyarrow.csv.write_csv(table, file)


def measure(file: Path, folder: Path) -> None:
    import nearid_core as nid

    seen: list[float] = []
    began, before = time.perf_counter(), time.process_time()
    run = nid.import_runs(file, nid.RunStore(folder / "store"), on_progress=lambda p: seen.append(p.fraction))[0]
    figures = {
        "file": file.name,
        "megabytes": round(file.stat().st_size / 1e6),
        "shape": run.record["layers"][run.layers[0]]["shape"],
        "resident_gib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        "cpu_s": round(time.process_time() - before, 1),
        "wall_s": round(time.perf_counter() - began, 1),
        "progress_calls": len(seen),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    if IMPORT in sys.argv:
        measure(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main()
