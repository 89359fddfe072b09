"""What is wrong with the files, with counts, and what to do about it."""

import streamlit as st

from nearid_core.exchange import PROBLEM_KINDS, Preview
from nearid_core.exchange.problem import AGREE, DROP_COLUMNS, DROP_ROWS, FIRST, INTERSECTION, KEEP, METADATA, STOP
from pages.shared.importing.fields import key
from pages.shared.wording import plain

_CHOICES = {
    STOP: "import nothing",
    KEEP: "keep as it is",
    DROP_ROWS: "leave those rows out",
    DROP_COLUMNS: "leave those columns out",
    METADATA: "take them as metadata",
    INTERSECTION: "take what all files have",
    AGREE: "take the columns that agree",
    FIRST: "take the first row",
}


def chosen_actions() -> dict[str, str]:
    """What was chosen on this page, by kind of problem."""
    picked = {kind: st.session_state.get(_field(kind)) for kind in PROBLEM_KINDS}
    return {kind: action for kind, action in picked.items() if action}


def show_problems(looked: Preview) -> None:
    """One line a problem, and one choice a kind; those that stop the import come first."""
    asked = set()
    for problem in sorted(looked.problems, key=lambda one: not one.stops):
        left, right = st.columns([3, 1], gap="medium", vertical_alignment="center")
        icon = ":material/front_hand:" if problem.stops else ":material/info:"
        left.markdown(f"{icon} {plain(problem.message)}")
        if problem.kind in asked or len(problem.choices) < 2:
            continue
        asked.add(problem.kind)
        right.selectbox(
            f"What to do about {problem.kind.replace('_', ' ')}",
            problem.choices,
            problem.choices.index(problem.action),
            format_func=lambda action: _CHOICES.get(action, action),
            key=_field(problem.kind),
            label_visibility="collapsed",
        )


def _field(kind: str) -> str:
    return key(f"choice_{kind}")
