"""The mapping as a form: what was guessed or said stands in the fields, and what the fields say is the mapping."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from nearid_core.exchange import Control, Derive, Features, Mapping, Preview, Recode
from nearid_core.exchange.mapping import CONTROL_KINDS, FILES, LEVELS
from pages.shared.importing.files import generation
from pages.shared.wording import plain

NONE = "–"
_BASE, _FILES, _VERSION = "import_base", "import_of_files", "import_version"
_RULES = {
    "rest": "every number without a role",
    "prefix": "names that begin with",
    "pattern": "names that match",
    "columns": "these columns",
}
_MEANINGS = {
    "runs": "runs of one model",
    "layers": "layers of one run",
    "batches": "batches of one table",
}


def mapping_fields(base: Mapping, seen: Preview, n_files: int) -> Mapping:
    """The form; returns the mapping as it stands there.

    base : what the fields say at first; seen : what is known of the columns under it.
    """
    columns = list(seen.columns["column"])
    features = set(seen.columns.loc[seen.columns["role"] == "feature", "column"])
    known = [column for column in columns if column not in features]
    choices = [*known, *(column for column in columns if column in features)]
    said: dict[str, Any] = {}
    first, second, third = st.columns(3, gap="medium")
    with first:
        said["name"] = _text("name", "Name", base.name or seen.plan.name, "What the table or the runs are called.")
        said["sample_id"] = tuple(
            st.multiselect(
                "Sample id",
                choices,
                [name for name in base.sample_id if name in choices],
                key=key("sample_id"),
                placeholder="numbered by row",
                help="The columns that name a sample, joined; runs are matched by it, never by row.",
            )
        )
        if n_files > 1:
            said |= _several(base)
    with second:
        said["features"] = _features(base.features, seen, columns)
    with third:
        said["batch"] = _column("batch", "Batch", base.batch, choices, "The technical unit: plate, week, donor, site.")
        said["label"] = _column("label", "Label", base.label, choices, "The biology, or the class of a sample.")
    said["controls"] = _control(base, known)
    with st.expander("More columns: run, group, position, dose, replicate; layer and level"):
        said |= _more(base, choices)
    with st.expander("Columns that are made: derived, recoded", expanded=bool(base.derive or base.recode)):
        said |= {"derive": _derived(base), "recode": _recoded(base)}
    return replace(base, **said)


def _several(base: Mapping) -> dict[str, Any]:
    files = st.selectbox(
        "The files are",
        list(FILES),
        index=FILES.index(base.files) if base.files else None,
        format_func=_MEANINGS.get,
        placeholder="say what they are",
        key=key("files"),
        help="Files of the same samples are runs (compared with each other) or layers; of other samples, batches.",
    )
    pattern = _text("file_pattern", "Called by", base.file_pattern, "A regular expression with one group, searched in "
                    "each file's name; empty: the whole name.", r"seed(\d+)")  # fmt: skip
    return {"files": files, "file_pattern": pattern}


def _features(base: Features, seen: Preview, columns: Sequence[str]) -> Features:
    """Which columns are the representation; for files of matrices, which matrices."""
    matrices = [matrix.name for matrix in seen.plan.sources[0].table.matrices]
    if matrices:
        chosen = st.multiselect(
            "Matrices, each a layer",
            matrices,
            [name for name in base.arrays if name in matrices] or list(seen.layers),
            key=key("arrays"),
        )
        return replace(base, arrays=tuple(chosen))
    usual = "columns" if base.columns else "prefix" if base.prefix else "pattern" if base.pattern else "rest"
    rule = st.selectbox(
        "Features", list(_RULES), list(_RULES).index(usual), format_func=_RULES.get, key=key("rule"),
        help="The columns of numbers that are the embedding. Metadata_ columns never are.",
    )  # fmt: skip
    blank = replace(base, columns=(), prefix=(), pattern=None)
    if rule == "prefix":
        text = _text("prefix", "Prefixes, separated by commas", ", ".join(base.prefix), None, "Cells_, Nuclei_")
        return replace(blank, prefix=tuple(part.strip() for part in (text or "").split(",") if part.strip()))
    if rule == "pattern":
        return replace(blank, pattern=_text("pattern", "Regular expression", base.pattern, None, r"^z\d+$"))
    if rule == "columns":
        shown = [name for name in base.columns if name in columns]
        return replace(blank, columns=tuple(st.multiselect("Columns", columns, shown, key=key("columns"))))
    return blank


def _control(base: Mapping, columns: Sequence[str]) -> tuple[Control, ...]:
    """The first control as two fields; further ones stay as they are (the mapping file has them all)."""
    first = base.controls[0] if base.controls else None
    options = [NONE, *dict.fromkeys([*columns, *([first.column] if first else [])])]
    left, middle, right = st.columns(3, gap="medium")
    column = left.selectbox(
        "Controls are where column",
        options,
        options.index(first.column) if first else 0,
        key=key("control_column"),
        help="Wells that were not treated, or with a vehicle only; batch effects are read on them.",
    )
    value = middle.text_input("is", first.value if first else "", key=key("control_value"))
    kind = right.selectbox(
        "Kind of control",
        CONTROL_KINDS,
        CONTROL_KINDS.index(first.kind) if first else 0,
        key=key("control_kind"),
        help="Negative: untreated or vehicle. Positive: a known effect. Empty: nothing in the well.",
    )
    rest = base.controls[1:]
    return rest if column == NONE or not value else (Control(column, value, kind), *rest)


def _more(base: Mapping, choices: Sequence[str]) -> dict[str, Any]:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        run = _column("run", "Run or seed", base.run, choices, "Where one table holds several runs: whose row it is.")
        group = _column("group", "Group", base.group, choices, "Rows that are not independent: one physical plate.")
        layer = _text("layer", "Layer", base.layer, "What the embedding is called within its run.") or "embedding"
    with middle:
        position = _column("position", "Position", base.position, choices, "The well.")
        dose = _column("dose", "Dose", base.dose, choices, "How much of the perturbation.")
    with right:
        replicate = _column("replicate", "Replicate", base.replicate, choices, "Repeats of one treatment.")
        options = [NONE, *LEVELS]
        level = st.selectbox(
            "A row is a", options, options.index(base.level) if base.level else 0, key=key("level"),
            help="Cells of one well are not independent; what a row is decides what is counted as one.",
        )  # fmt: skip
    found = {"run": run, "group": group, "layer": layer, "position": position, "dose": dose, "replicate": replicate}
    return found | {"level": None if level == NONE else level}


def _derived(base: Mapping) -> tuple[Derive, ...]:
    st.caption(
        "A new column is what the first group of a regular expression finds: `(Week\\d+)_` makes Week4 of Week4_27861."
    )
    rows = [{"column": one.column, "from": one.source, "pattern": one.pattern} for one in base.derive]
    edited = _rows("derive", rows, ["column", "from", "pattern"])
    return tuple(Derive(row["column"], row["from"], row["pattern"]) for row in edited)


def _recoded(base: Mapping) -> tuple[Recode, ...]:
    st.caption("Several values become one; semicolons separate the old ones. Without a new column, in place.")
    rows = [
        {"column": one.column, "new value": new, "old values": "; ".join(old), "into column": one.into or ""}
        for one in base.recode
        for new, old in one.merge.items()
    ]
    edited = _rows("recode", rows, ["column", "new value", "old values"], ["into column"])
    merged: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for row in edited:
        old = tuple(part.strip() for part in row["old values"].split(";") if part.strip())
        merged.setdefault((row["column"], row.get("into column") or ""), {})[row["new value"]] = old
    return tuple(Recode(column, merge, into or None) for (column, into), merge in merged.items())


def _rows(
    name: str, rows: list[dict[str, str]], needed: list[str], optional: Sequence[str] = ()
) -> list[dict[str, str]]:
    """An editable table; only rows in which everything needed was filled in."""
    frame = pd.DataFrame(rows, columns=[*needed, *optional], dtype="str")
    edited = st.data_editor(frame, num_rows="dynamic", hide_index=True, key=key(name), width="stretch")
    filled = edited.fillna("").astype(str)
    return [row for row in filled.to_dict("records") if all(row[column] for column in needed)]


def _column(role: str, title: str, chosen: str | None, choices: Sequence[str], about: str) -> str | None:
    options = [NONE, *dict.fromkeys([*choices, *([chosen] if chosen else [])])]
    picked = st.selectbox(title, options, options.index(chosen) if chosen else 0, key=key(role), help=plain(about))
    return None if picked == NONE else picked


def _text(name: str, title: str, value: str | None, about: str | None, example: str = "") -> str | None:
    return st.text_input(title, value or "", key=key(name), help=about, placeholder=example).strip() or None


def key(name: str) -> str:
    """A field of this form; a new mapping makes a new form."""
    return f"import_{name}_{generation()}_{st.session_state.get(_VERSION, 0)}"


def set_base(base: Mapping, files: tuple[str, ...] | None) -> Mapping:
    """What the form begins with: anew when there are other files, or (files None) when a mapping is applied.

    Returns what the form now begins with.
    """
    if files is None or st.session_state.get(_FILES) != files:
        st.session_state[_BASE] = base
        st.session_state[_VERSION] = st.session_state.get(_VERSION, 0) + 1
    if files is not None:
        st.session_state[_FILES] = files
    return st.session_state[_BASE]
