"""Numbers a space: what the classifiers rest on, retrieval, mixing; and the files that leave."""

import pandas as pd
import streamlit as st

from nearid_core import figures
from nearid_core.batches import BatchReport
from nearid_core.exchange import export_loadings
from nearid_core.figures.batches import space_title
from nearid_core.runs import Run
from pages.shared.batches import explanations as say
from pages.shared.charts import chart, download
from pages.shared.choices import choice
from pages.shared.exporting import offer
from pages.shared.wording import count, interval

FORMATS = ("parquet", "csv", "h5ad", "npz")


def tables(report: BatchReport) -> None:
    """Concentration, sparsity and retrieval; then the mixing scores."""
    st.subheader("What does it rest on, and is it found again?")
    rests = judged(report)
    if len(rests):
        st.dataframe(rests, hide_index=True, key="judged", height="content", column_config=_RESTS)
        st.caption(f"{say.CONCENTRATION} {say.RETRIEVAL}")
        download(rests, "spaces")
    mechanisms = _retrieval(report, "mechanism").reset_index()
    if len(mechanisms):
        st.markdown("**Mechanisms, across their labels**")
        shown = mechanisms.assign(space=mechanisms["space"].map(space_title))
        st.dataframe(shown, hide_index=True, key="mechanisms", height="content", column_config=_RESTS)
    st.subheader("Are batches mixed and labels apart?")
    mixing = report.mixing_table
    shown = mixing.assign(space=mixing["space"].map(space_title))
    scores = [name for name in shown if name != "space"]
    form = {name: st.column_config.NumberColumn(name.replace("_", " "), format="%.3f") for name in scores}
    st.dataframe(shown, hide_index=True, key="mixing", height="content", column_config=form)
    st.caption(say.MIXING)
    download(mixing, "mixing")


def generalisation(report: BatchReport) -> None:
    """AUROC on left-out batches, and the folds that could not be judged."""
    if not len(report.cross_batch):
        st.caption("Without labels there is nothing to classify.")
        return
    penalty = choice("Penalty", {"l1": "L1", "l2": "L2"}, key="penalty")
    chart(
        lambda: figures.auroc_by_space(report.cross_batch_labels, report.cross_batch, penalty),
        key=f"auroc_{penalty}",
        about=say.AUROC,
        alt="AUROC on left-out batches by space, a dot a label",
        table=report.cross_batch_labels,
    )
    skipped = report.folds[report.folds["skipped"] != ""]
    if len(skipped):
        with st.expander(f"{count(len(skipped), 'fold')} could not be judged"):
            st.dataframe(skipped[["label", "batch", "skipped"]], hide_index=True, key="skipped")


def _retrieval(report: BatchReport, kind: str) -> pd.DataFrame:
    summary = report.retrieval_summary
    if summary.empty:
        return pd.DataFrame(columns=["map", "low", "high", "null_map", "share_retrieved", "n_labels"]).rename_axis(
            "space"
        )
    return summary[summary["kind"] == kind].drop(columns="kind").set_index("space")


def judged(report: BatchReport) -> pd.DataFrame:
    """One row a space: what the classifiers and the biology rest on, and retrieval."""
    table = (
        report.summary.set_index("space")[["dimensions", "share", "mean_top"]] if "share" in report.summary else None
    )
    if table is None:
        return pd.DataFrame()
    l2 = report.cross_batch[report.cross_batch["penalty"] == "l2"].set_index("space")
    table = table.join(l2["hoyer"]).join(_retrieval(report, "replicate"), how="left")
    table["mAP"] = [
        interval(row["map"], row["low"], row["high"]) if row["map"] == row["map"] else "as PCA"
        for _, row in table.iterrows()
    ]
    table = table.drop(columns=["map", "low", "high", "n_labels"]).reset_index()
    return table.assign(space=table["space"].map(space_title))


def export(run: Run, report: BatchReport, drop: list[int]) -> None:
    """The corrected table and the loadings, as files."""
    st.caption(say.EXPORT)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox("File", FORMATS, key="corrected_format", width=140)
        offer("Corrected table", f"{run.id}-corrected.{kind}", lambda path: report.export(path, drop))
        offer(
            "Loadings",
            f"{run.id}-loadings.csv",
            lambda path: export_loadings(report.components, path, features=report.settings["features"]),
        )


_RESTS = {
    "share": st.column_config.NumberColumn("bio in top quarter", format="%.3f"),
    "mean_top": st.column_config.NumberColumn("its mean η²", format="%.3f"),
    "hoyer": st.column_config.NumberColumn("Hoyer (L2)", format="%.3f"),
    "null_map": st.column_config.NumberColumn("mAP by chance", format="%.3f"),
    "share_retrieved": st.column_config.NumberColumn("labels retrieved", format="percent"),
}
