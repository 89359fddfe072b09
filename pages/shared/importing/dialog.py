"""The import from top to bottom: files, what they would become, corrections, problems, and the button."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from nearid_core.digest import text_digest
from nearid_core.exchange import Mapping, Preview
from nearid_core.exchange.importing import write_plan
from nearid_core.exchange.mapping_toml import mapping_from_toml, mapping_to_toml
from nearid_core.runs import RunStore, uploads
from pages.shared import routes
from pages.shared.cards import has_batches
from pages.shared.failures import sentences
from pages.shared.importing.fields import key, mapping_fields, set_base
from pages.shared.importing.files import given_files, start_over
from pages.shared.importing.looking import guessed, look, rows_on
from pages.shared.importing.problems import chosen_actions, show_problems
from pages.shared.job_panel import ending, watch
from pages.shared.selection import link
from pages.shared.stores import ShownSet, queue
from pages.shared.wording import count, plain

ASKED = "import"  # query parameter that opens the form
_JOB, _DONE = "import_job", "imported_set"
_AT_ONCE = 64 << 20  # bytes that are imported while the page waits; a job takes what is larger
_SHOWN_COLUMNS = 12
_SHOWN_RUNS = 6


def opened() -> bool:
    return ASKED in st.query_params or bool(st.session_state.get(_JOB))


def import_dialog(store: RunStore) -> None:
    """The form, with whatever the last import came to above it."""
    _outcome(store)
    uploads.sweep(store)
    with st.expander("Import tables or runs", expanded=opened(), icon=":material/upload_file:", key="import_form"):
        if _running(store):
            return
        with sentences():
            _form(store)


def _form(store: RunStore) -> None:
    paths, given = given_files(store)
    if not paths:
        st.caption(
            "One file is a table, or the runs that one of its columns tells apart. Several files are several runs, "
            "layers or batches; side tables (compounds, plates) are joined. Nothing is written before you say so."
        )
        return
    tables, base = (paths, given) if given is not None else guessed(paths)
    base = set_base(base, tuple(map(str, paths)))
    seen = look(tables, base)
    st.divider()
    mapping = mapping_fields(base, seen, len(tables))
    mapping = replace(mapping, choices={**mapping.choices, **chosen_actions()})
    looked = look(tables, mapping)
    st.divider()
    _what_it_becomes(looked)
    show_problems(looked)
    _mapping_file(mapping)
    _go(store, looked)


def _what_it_becomes(looked: Preview) -> None:
    """What would be in the store, the joins, and the first rows."""
    shapes = ", ".join(f"{name}: {rows:,} × {width:,}" for name, (rows, width) in looked.layers.items())
    what = "One table" if looked.kind == "table" else count(len(looked.runs), "run")
    named = (
        "" if looked.kind == "table" else f" ({', '.join(looked.runs[:6])}{', ...' if len(looked.runs) > 6 else ''})"
    )
    st.markdown(f"**{what}**{plain(named)} of {plain(shapes or 'nothing')} (rows × features)")
    if looked.joins:
        st.dataframe(_joins(looked), hide_index=True, key=key("joins"), height="content")
    shown = looked.rows.iloc[:, : _SHOWN_COLUMNS + 1]
    st.dataframe(_as_text(shown), hide_index=True, key=key("rows"), height=212)
    rest = looked.columns.shape[0] - _SHOWN_COLUMNS
    if rest > 0:
        st.caption(f"The first rows; {count(rest, 'more column')} not shown.")


def _joins(looked: Preview) -> pd.DataFrame:
    """Every join with its cardinality: what a plain join would make of the rows is what people trip over."""
    rows = [
        {
            "side table": join.file,
            "matched by": " + ".join(join.left) or "row number",
            "samples found": f"{join.matched:,} of {join.rows_before:,}",
            "a plain join makes": f"{join.rows_naive:,} rows",
            "differs within a sample": ", ".join(join.dropped) or "–",
        }
        for join in looked.joins
    ]
    return pd.DataFrame(rows)


def _as_text(rows: pd.DataFrame) -> pd.DataFrame:
    """As it will be read, in short; a column of a table on the page holds one type."""
    return rows.map(lambda value: f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value))


def _mapping_file(mapping: Mapping) -> None:
    with st.expander("The mapping as a file: joins, and everything else, to edit or to repeat this import"):
        said = mapping_to_toml(mapping)
        edited = st.text_area("Mapping (TOML)", said, height=260, key=key(f"toml_{text_digest(said)[:8]}"))
        with st.container(horizontal=True):
            if st.button("Apply", key=key("apply"), disabled=edited == said, icon=":material/check:"):
                set_base(mapping_from_toml(edited), None)
                st.rerun()
            st.download_button(
                "Save",
                said,
                "mapping.toml",
                "text/plain",
                key=key("save"),
                on_click="ignore",
                icon=":material/download:",
            )
        st.caption("`nearid import FILES --mapping mapping.toml` does the same in a terminal.")


def _go(store: RunStore, looked: Preview) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            "Import", type="primary", icon=":material/download_done:", disabled=not looked.ready, key=key("go")
        )
        if st.button("Cancel", key=key("cancel"), type="tertiary"):
            uploads.discard(store, looked.paths)
            start_over()
            st.query_params.pop(ASKED, None)
            st.rerun()
        for sentence in looked.missing:
            st.markdown(plain(sentence))
        stopping = sum(problem.stops for problem in looked.problems)
        if stopping:
            st.markdown(f"{count(stopping, 'problem')} to decide on first, marked :material/front_hand:.")
    if pressed:
        _import(store, looked)


def _import(store: RunStore, looked: Preview) -> None:
    size = sum(_size(path) for path in looked.paths)
    if size > _AT_ONCE:
        request = {
            "store": str(store.path),
            "paths": [str(path) for path in looked.paths],
            "mapping": mapping_to_toml(looked.mapping),
        }
        st.session_state[_JOB] = queue().submit("import", request)
        st.rerun()
    bar = st.progress(0.0, text="Importing")
    runs = write_plan(looked.plan, store, rows_on(bar))
    uploads.discard(store, looked.paths)
    _finish(runs[0].set_id)


def _running(store: RunStore) -> bool:
    """Whether an import is under way in a job; how it ended, when it did."""
    job = st.session_state.get(_JOB)
    if job is None:
        return False
    status = queue().status(job)
    if not status.over:
        watch(queue(), job, title="Importing")
        return True
    del st.session_state[_JOB]
    if status.state == "done":
        _finish(status.result["set"])
    ending(status)
    return False


def _finish(set_id: str) -> None:
    start_over()
    st.session_state[_DONE] = set_id
    st.query_params.pop(ASKED, None)
    st.rerun()


def _outcome(store: RunStore) -> None:
    """What was imported, and where to go with it."""
    set_id = st.session_state.get(_DONE)
    one = next((ShownSet(runs, store, demo=False) for runs in store.sets() if runs.id == set_id), None)
    if one is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="imported"):
        st.markdown(f":material/check_circle: **{plain(one.runs.title)}** is in: {count(len(one.done), one.noun)}.")
        if one.comparable:
            st.page_link(routes.ALIGNMENT, label="See how well they agree", icon=":material/compare_arrows:",
                         query_params=link(one))  # fmt: skip
        if has_batches(one):
            icon = ":material/biotech:"
            st.page_link(routes.BATCHES, label="Tell batch from biology", icon=icon, query_params=link(one))
        if st.button("Close", key="imported_close", type="tertiary"):
            del st.session_state[_DONE]
            st.rerun()


def _size(path: Path) -> int:
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)
