"""The result of comparing runs. Reading one needs neither scipy nor scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.align.verdict import verdict
from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown
from nearid_core.results import Entry

GROUPS = ("identity", "permutation", "signed_permutation", "rigid", "similarity", "linear", "ica")
SPACES = ("latent", "component")
_PROFILE_POINTS = 200


@dataclass(frozen=True, eq=False)
class Comparison:
    """Cross-run alignment of one layer, for every ordered pair of runs, every group and both spaces.

    runs, layer : what was compared.
    table : one row a (reference, other, group, space). Errors are in diameters of the reference's held-out rows:
        ``mean`` with ``mean_low`` and ``mean_high`` (bootstrap over samples), ``rms``, ``median``, ``q95`` with
        ``q95_low`` and ``q95_high`` (order statistics), ``q99``, ``max``; ``r2``; the controls ``constant``,
        ``class_mean``, ``within_label``, ``shuffled`` (mean errors; ``n_shuffles`` and ``p_shuffled`` go with the
        last); ``n_fit``, ``n_heldout``, ``width`` (columns), ``rank``, ``unmatched_variance`` (part of the
        reference's), ``diameter`` (in the representation's own unit) and ``diameter_exact``.
    residuals : (rows of table, n_heldout) float32, the error of each held-out sample.
    sample_ids : (n_heldout,).
    averages : what `summary` returns; efficiencies : what `ica_efficiency` returns.
    components : one row a (reference, other, component of the reference): ``matched`` component of the other run,
        held-out ``r``, ``null_r`` (95 percent point over shuffles), ``identified``, ``identified_other``, ``returns``.
    blocks : one row a (reference, other, matched pair of blocks of unidentified components): ``block``,
        ``block_other`` (as in `Components.blocks`), ``size``, ``size_other``, held-out cosines of the principal angles
        (``lowest_r``, ``mean_r``, ``null_r``), ``identifiable``: the same subspace in both.
    diagnostics : one row a (run, component); see `Components.diagnostics`.
    notes : what a reader has to know, one sentence each.
    """

    runs: tuple[str, ...]
    layer: str | None
    table: pd.DataFrame
    residuals: np.ndarray
    sample_ids: np.ndarray
    averages: pd.DataFrame
    efficiencies: pd.DataFrame
    components: pd.DataFrame
    blocks: pd.DataFrame
    diagnostics: pd.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The tightest group that holds, its epsilon with interval, what returns, and the controls: one sentence."""
        return verdict(self.averages, self.components)

    def __repr__(self) -> str:
        shown = self.averages.drop(columns=["n_pairs"]).round(3).to_string(index=False, na_rep="-")
        return "\n".join([self.verdict, "", shown, *(f"Note: {note}" for note in self.notes)])

    def summary(self) -> pd.DataFrame:
        """One row a (space, group), averaged over ordered pairs.

        ``mean`` with ``low`` and ``high`` (jackknife over runs; NaN for fewer than 3), ``epsilon_95``: the largest 95
        percent quantile over pairs, with ``epsilon_95_low`` and ``epsilon_95_high`` that hold for all pairs at once
        (order statistics, Bonferroni); ``r2``, the controls and ``n_pairs``.
        """
        return self.averages.copy()

    def ica_efficiency(self) -> pd.DataFrame:
        """One row a (reference, other, space), and one with reference and other ``all`` for the mean over pairs.

        ``efficiency`` = (e_signed_permutation - e_ica) / (e_signed_permutation - e_ceiling); the ceiling is rigid in
        component space, whitened_rigid in latent space. NaN has its ``reason``. ``low`` and ``high`` of the mean are a
        jackknife over runs.
        """
        return self.efficiencies.copy()

    def epsilon_profile(self, space: str = "latent") -> pd.DataFrame:
        """F(epsilon), the part of held-out samples with an error of at most epsilon; one curve a group.

        Columns group, epsilon, fraction (mean over ordered pairs), low, high (least and most over pairs).
        """
        self._check_space(space)
        chosen = (self.table["space"] == space).to_numpy()
        ordered = np.sort(self.residuals[chosen], axis=1)
        grid = np.linspace(0.0, float(np.quantile(ordered[:, -1], 0.9)), _PROFILE_POINTS)
        fractions = np.stack([np.searchsorted(row, grid, side="right") for row in ordered]) / ordered.shape[1]
        groups = self.table.loc[chosen, "group"].to_numpy()
        curves = []
        for group in dict.fromkeys(groups):
            of_pairs = fractions[groups == group]
            curve = {"epsilon": grid, "fraction": of_pairs.mean(0), "low": of_pairs.min(0), "high": of_pairs.max(0)}
            curves.append(pd.DataFrame({"group": group, **curve}))
        return pd.concat(curves, ignore_index=True)

    def pair_matrix(self, group: str, space: str = "latent", column: str = "mean") -> pd.DataFrame:
        """One column of the table as a (reference, other) matrix; the diagonal is NaN."""
        self._check_space(space)
        rows = self.table[(self.table["space"] == space) & (self.table["group"] == group)]
        if rows.empty:
            raise InvalidInput(unknown(f"group in {space} space", group, self.groups(space)))
        return rows.pivot_table(index="reference", columns="other", values=column).reindex(
            index=list(self.runs), columns=list(self.runs)
        )

    def groups(self, space: str = "latent") -> list[str]:
        """The groups compared in a space, in table order."""
        return list(dict.fromkeys(self.table.loc[self.table["space"] == space, "group"]))

    def residuals_of(self, reference: str, other: str, group: str, space: str = "latent") -> pd.Series:
        """Errors of one comparison by sample id, in diameters."""
        wanted = {"reference": reference, "other": other, "group": group, "space": space}
        rows = np.flatnonzero((self.table[list(wanted)] == pd.Series(wanted)).all(axis=1))
        if len(rows) != 1:
            raise InvalidInput(f"There is no comparison of {other} with {reference} under {group} in {space} space.")
        return pd.Series(self.residuals[rows[0]], index=pd.Index(self.sample_ids, name="sample_id"), name="residual")

    def _check_space(self, space: str) -> None:
        if space not in SPACES:
            raise InvalidInput(unknown("space", space, SPACES))

    def to_entry(self) -> Entry:
        """What the disk cache keeps."""
        names = ("table", "averages", "efficiencies", "components", "blocks", "diagnostics")
        return Entry(
            tables={name: getattr(self, name) for name in names},
            arrays={"residuals": self.residuals, "sample_ids": self.sample_ids},
            meta={"runs": list(self.runs), "layer": self.layer, "notes": list(self.notes)},
        )

    @classmethod
    def from_entry(cls, entry: Entry) -> Comparison:
        meta, parts = entry.meta, {**entry.tables, **entry.arrays}
        return cls(runs=tuple(meta["runs"]), layer=meta["layer"], notes=tuple(meta["notes"]), **parts)  # type: ignore[arg-type]
