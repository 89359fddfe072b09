"""Runs: what is in the stores; look into one, compare two, tag, save a choice, delete."""

import pandas as pd
import streamlit as st

from nearid_core.digest import text_digest
from nearid_core.runs import Run, RunStore
from pages.shared import routes
from pages.shared.exporting import add_zip, export, tell_added
from pages.shared.importing import import_dialog
from pages.shared.inspection import differing_settings, inspect
from pages.shared.selection import link
from pages.shared.stores import ShownSet, demo_store, explain_unchangeable, may_change, queue, split_title, user_store
from pages.shared.wording import count, moment, plain

routes.enter()

store, demo = user_store(), demo_store()


def filtered(runs: list[Run]) -> list[Run]:
    """Narrow the list down; a filter with one choice only is left out."""
    fields = {
        "dataset": lambda run: [run.dataset["name"]],
        "set": lambda run: [run.set_id],
        "status": lambda run: [run.status],
        "tag": lambda run: run.tags,
    }
    choices = {name: sorted({value for run in runs for value in read(run)}) for name, read in fields.items()}
    offered = [name for name, values in choices.items() if len(values) > 1 or (name == "tag" and values)]
    for name, column in zip(offered, st.columns(4), strict=False):
        wanted = column.multiselect(name, choices[name], key=f"filter_{name}", placeholder="all")
        runs = [run for run in runs if not wanted or set(wanted) & set(fields[name](run))]
    return runs


def metrics(runs: list[Run]) -> list[str]:
    return sorted({name for run in runs for name in run.metrics})


def table(runs: list[Run]) -> pd.DataFrame:
    """One row a run, as it is shown."""
    names = metrics(runs)
    rows = [
        {
            "model": split_title(run.title)[0],
            "settings": split_title(run.title)[1],
            "seed": run.seed,
            "status": run.status,
            **{name: run.metrics.get(name) for name in names},
            "tags": run.tags,
            "note": run.notes["note"],
            "created": moment(run.created),
            "seconds": run.seconds,
            "store": "demo" if run.path.parent == demo.path else "own",
            "set": run.set_id,
            "reason": run.reason or "",
        }
        for run in runs
    ]
    shown = pd.DataFrame(rows)
    empty = [name for name in ("tags", "note", "reason") if not shown[name].astype(bool).any()]
    return shown.drop(columns=empty + (["store"] if shown["store"].nunique() < 2 else []))


def delete(runs: list[Run]) -> None:
    for run in runs:
        store.delete(run.id)
    st.session_state["deleted_runs"] = [run.id for run in runs]


def undo() -> None:
    for run_id in st.session_state.pop("deleted_runs"):
        store.restore(run_id)


def act_on(runs: list[Run]) -> None:
    """What can be done with the selected runs."""
    own = [run for run in runs if run.path.parent == store.path]
    changeable = len(own) == len(runs) and may_change(store)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{count(len(runs), 'run')} selected**", width="content")
        if changeable and len(runs) > 1:
            save_as_set(runs)
        homes = {run.path.parent for run in runs}
        if len(homes) == 1:
            export(runs, RunStore(homes.pop()))
        if changeable:
            edit_notes(runs)
            st.button("Delete", icon=":material/delete:", on_click=delete, args=(runs,), key="delete_runs")
    if not changeable:
        st.caption("Runs of the demo cannot be tagged, saved as a set or deleted.")


def save_as_set(runs: list[Run]) -> None:
    with st.popover("Save as a set", icon=":material/bookmark_add:"):
        title = st.text_input("Title", key="set_title", placeholder="What these runs have in common")
        if st.button("Save and compare", disabled=not title.strip(), key="save_set"):
            saved = store.save_set(title.strip(), [run.id for run in runs])
            st.switch_page(routes.ALIGNMENT, query_params=link(ShownSet(saved, store, demo=False)))


def edit_notes(runs: list[Run]) -> None:
    """Tags of the selected runs, and the note where there is one run."""
    with st.popover("Tags and note" if len(runs) == 1 else "Tags", icon=":material/label:"):
        known = sorted({tag for run in store.runs() for tag in run.tags})
        shared = sorted(set.intersection(*(set(run.tags) for run in runs)))
        key = "_".join(run.id for run in runs)
        tags = st.multiselect(
            "Tags", known, shared, accept_new_options=True, key=f"tags_{key}", placeholder="Type a tag, then Enter"
        )
        note = st.text_area("Note", runs[0].notes["note"], key=f"note_{key}") if len(runs) == 1 else None
        if st.button("Save", key="save_notes"):
            for run in runs:
                store.tag(run.id, *(set(run.tags) - set(shared) | set(tags)), note=note)
            st.rerun()


def resume_unfinished() -> None:
    """Runs that were begun and are not whole."""
    unfinished = store.unfinished()
    if not unfinished:
        return
    st.subheader("Unfinished")
    for one in unfinished:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"unfinished_{one.id}"):
            state = "being trained now" if one.alive else "cut off; what was trained is kept"
            st.markdown(f"**{plain(one.id)}** · {state}", width="stretch")
            if one.alive or not may_change(store):
                continue
            if st.button("Resume", key=f"resume_{one.id}", icon=":material/play_arrow:"):
                queue().submit("train", {"config": one.config, "seeds": [one.seed], "store": str(store.path)})
                st.switch_page(routes.TRAIN)
            st.button(
                "Discard", key=f"discard_{one.id}", icon=":material/delete:", on_click=store.discard, args=(one.id,)
            )


with st.container(horizontal=True, vertical_alignment="center"):
    st.title("Runs", width="stretch")
    add_zip(store)
explain_unchangeable(store)
tell_added(store)
if may_change(store):
    import_dialog(store)

if st.session_state.get("deleted_runs"):
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(f"{count(len(st.session_state['deleted_runs']), 'run')} deleted; they can be put back for a day.")
        st.button("Undo", icon=":material/undo:", on_click=undo, key="undo_delete")

everything = [*store.runs(), *(demo.runs() if demo.path != store.path else [])]
if not everything:
    st.info(
        f"There are no runs in `{store.path}` yet. The Train page makes some, or import a table above.",
        icon=":material/inbox:",
    )

runs = filtered(everything)
if runs:
    shown = table(runs)
    picked = st.dataframe(
        shown,
        hide_index=True,
        # Rows are selected by position: another list starts with nothing selected.
        key=f"runs_table_{text_digest(run.id for run in runs)[:8]}",
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            **{name: st.column_config.NumberColumn(name.replace("_", " "), format="%.4f") for name in metrics(runs)},
            "settings": st.column_config.TextColumn(width="medium"),
            "reason": st.column_config.TextColumn(width="large"),
            "seconds": st.column_config.NumberColumn("time", format="%.1f s"),
            "created": st.column_config.DatetimeColumn(format="DD MMM YYYY, HH:mm"),
            "tags": st.column_config.ListColumn(),
        },
    ).selection.rows
    selected = [runs[row] for row in picked]
    if selected:
        act_on(selected)
    else:
        st.caption(
            "Select one run to look into it, two to see what differs, several to tag, save, export or delete them."
        )
    if len(selected) == 1:
        inspect(selected[0])
    elif len(selected) > 1:
        differing_settings(selected)

resume_unfinished()
for problem in store.problems():
    st.warning(plain(problem), icon=":material/folder_off:")
