"""One row a space."""

from __future__ import annotations

import pandas as pd

from nearid_core.batches.area import WHOLE, jackknife_interval
from nearid_core.batches.removal import ratio_at_quarter
from nearid_core.batches.sparsity import concentration


def summarise(components: pd.DataFrame, curves: pd.DataFrame, areas: pd.DataFrame) -> pd.DataFrame:
    """The columns of `BatchReport.summary`; random draws are averaged, their interval is the lowest and highest one."""
    rows = []
    for space, part in components.groupby("space", sort=False):
        draws = [_of_components(draw) for _, draw in part.groupby("draw")]
        row: dict[str, object] = {"space": space, "dimensions": len(part) // len(draws), "n_draws": len(draws)}
        row |= {name: sum(draw[name] for draw in draws) / len(draws) for name in draws[0]}
        if not areas.empty and space in set(areas["space"]):
            row |= _of_removal(curves[curves["space"] == space], areas[areas["space"] == space])
        rows.append(row)
    return pd.DataFrame(rows)


def _of_components(part: pd.DataFrame) -> dict[str, float]:
    row = {
        name: float(part[name].mean())
        for name in ("eta2_batch", "omega2_batch", "eta2_bio", "omega2_bio")
        if name in part
    }
    row = {f"mean_{name}": value for name, value in row.items()}
    if "eta2_bio" in part:
        row |= concentration(part["eta2_bio"].to_numpy())
    return row


def _of_removal(curves: pd.DataFrame, areas: pd.DataFrame) -> dict[str, float]:
    ratios = [ratio_at_quarter(curve) for _, curve in curves.groupby("draw")]
    whole, low, high = jackknife_interval(areas.groupby("block")["area"].mean())
    if len(ratios) > 1:
        draws = areas.loc[areas["block"] == WHOLE, "area"]
        low, high = float(draws.min()), float(draws.max())
    return {"area": whole, "area_low": low, "area_high": high, "ratio_at_quarter": sum(ratios) / len(ratios)}
