"""Which columns are what: as the import, or the dataset, said; or as it is chosen here."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from nearid_core.batches import SPACES, Settings
from nearid_core.batches.settings import DEFAULT_SPACES
from nearid_core.exchange.mapping import LEVELS
from nearid_core.figures.batches import space_title
from nearid_core.runs import Run
from pages.shared.choices import choice

NONE = "–"


def asked_settings(run: Run) -> Settings | None:
    """Which columns are what: as the import, or the dataset, said; or as it is chosen here."""
    known = run.dataset
    columns = [name for name in run.samples.columns if name not in ("sample_id", "split")]
    with st.expander("Columns and settings", expanded=not known.get("batch"), icon=":material/tune:", key="columns"):
        first, second, third = st.columns(3, gap="medium")
        with first:
            batch = column("Batch", "batch", known, columns, "The technical unit that is left out: plate, week, donor.")
            group = column("Group", "group", known, columns, "Rows that are not independent: one plate, one well.")
        with second:
            label = column("Label", "label", known, columns, "The biology.")
            position = column("Position", "position", known, columns, "The well.")
            about = "What several labels have in common, such as the mechanism of compounds; for retrieval."
            mechanism = column("Mechanism", "mechanism", known, columns, about)
        with third:
            control = st.text_input(
                "Controls", known.get("control") or "", key="control", bind="query-params",
                help="A value of the label, or COLUMN=VALUE.",
            )  # fmt: skip
            level = choice("A row is a", [NONE, *LEVELS], key="level", default=known.get("level") or NONE)
        extra = [space.name for space in SPACES if space.name not in DEFAULT_SPACES]
        left, right = st.columns([2, 1], gap="medium", vertical_alignment="bottom")
        corrections = left.multiselect(
            "Corrections beside it", extra, key="corrections", bind="query-params", format_func=space_title,
            placeholder="none", help="; ".join(f"{SPACES[name].title}: {SPACES[name].description}" for name in extra),
        )  # fmt: skip
        transductive = right.toggle(
            "Fit spaces on all rows", key="transductive", bind="query-params",
            help="Transductive: the held-out rows are seen too, without their labels. Off: the fit half only.",
        )  # fmt: skip
    if batch is None:
        return None
    return Settings(
        batch=batch,
        label=label,
        control=control.strip() or None,
        group=group,
        position=position,
        mechanism=mechanism,
        level=None if level == NONE else level,
        spaces=(*DEFAULT_SPACES, *corrections),
        transductive=transductive,
    )


def column(title: str, role: str, known: Mapping[str, Any], columns: list[str], about: str) -> str | None:
    chosen = choice(title, [NONE, *columns], key=role, default=known.get(role) or NONE, help=about)
    return None if chosen == NONE else chosen
