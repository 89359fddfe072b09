"""CSV: metadata, then one column a feature; every number with the digits that give it back."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from nearid_core.exchange.embedding import Embedding
from nearid_core.exchange.formulas import LINE_END, as_text, without_formulas
from nearid_core.exchange.writers.blocks import row_blocks


def write_csv(embedding: Embedding, path: Path) -> None:
    names = [as_text(name) for name in embedding.names]
    with path.open("w", encoding="utf-8", newline="") as file:
        for rows in row_blocks(embedding.values):
            known = without_formulas(embedding.samples.iloc[rows])
            numbers = pd.DataFrame(embedding.values[rows], columns=names, index=known.index)
            block = pd.concat([known, numbers], axis=1)
            block.to_csv(file, index=False, header=rows.start == 0, lineterminator=LINE_END)
