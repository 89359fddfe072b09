"""Planted truths, one click each."""

import streamlit as st

from nearid_core.gallery import GALLERY, Planted, plant, planted_of
from pages.shared import routes
from pages.shared.selection import link
from pages.shared.stores import ShownSet, may_change, user_store
from pages.shared.wording import plain

ACROSS = 3


def gallery() -> None:
    """Six cards; a click puts the runs of one into the store and opens them."""
    st.caption("Codes of which everything is known, made in a second: where the method works, and where it must fail.")
    if not may_change(user_store()):
        st.info("They would be put into the store, which cannot be changed here.", icon=":material/lock:")
        return
    truths = list(GALLERY)
    for first in range(0, len(truths), ACROSS):
        for one, column in zip(truths[first : first + ACROSS], st.columns(ACROSS), strict=False):
            with column:
                _card(one)


def what_should_be_seen(chosen: ShownSet) -> None:
    """Beside the verdict of a planted truth, what the theory says of it."""
    planted = planted_of(chosen.runs.id)
    if planted is not None:
        st.markdown(f":material/visibility: **What should be seen.** {plain(planted.expected)}")


def _card(one: Planted) -> None:
    with st.container(border=True, height="stretch", key=f"planted_{one.name}"):
        st.markdown(f"**{plain(one.title)}**")
        st.markdown(plain(f"{one.shows[0].upper()}{one.shows[1:]}."))
        if st.button("Open", key=f"plant_{one.name}", icon=":material/science:"):
            made = plant(one.name, user_store())
            shown = ShownSet(made, user_store(), demo=False)
            st.switch_page(routes.COMPONENTS, query_params=link(shown, "latent"))
