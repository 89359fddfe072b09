"""Overview: what is here, and how well the runs of each set agree."""

import streamlit as st

from pages.shared import routes
from pages.shared.cards import has_batches, has_factors, set_card
from pages.shared.selection import current, link
from pages.shared.stores import demo_store, may_change, user_store
from pages.shared.wording import count, plain

routes.enter()

FIRST_SHOWN = 6  # each card reads a comparison and draws a figure

sets = current().sets

st.title("Overview")
st.markdown(
    "Train the same model from several seeds: do the runs learn the same representation, and up to which "
    "transformation? Where the factors behind the data are known: does ICA find them? Or bring a table of embeddings: "
    "which of its components are batch, which biology? Each card below answers for one set of runs."
)

with st.container(horizontal=True, gap="small"):
    demo = next((one for one in sets if one.demo and one.comparable and not has_factors(one)), None)
    if demo is not None and st.button("Open the demo", icon=":material/play_circle:", type="primary"):
        st.switch_page(routes.ALIGNMENT, query_params=link(demo))
    scene = next((one for one in sets if one.demo and has_factors(one) and not has_batches(one)), None)
    if scene is not None and st.button("Which component is what?", icon=":material/hub:"):
        st.switch_page(routes.COMPONENTS, query_params=link(scene))
    screen = next((one for one in sets if one.demo and has_batches(one)), None)
    if screen is not None and st.button("Biology or batch?", icon=":material/biotech:"):
        st.switch_page(routes.BATCHES, query_params=link(screen))
    if may_change(user_store()) and st.button("Train runs", icon=":material/model_training:"):
        st.switch_page(routes.TRAIN)
    if may_change(user_store()) and st.button("Bring your own", icon=":material/upload_file:"):
        st.switch_page(routes.RUNS, query_params={"import": "1"})

if not sets:
    st.info(
        f"There are no runs yet, neither in the store `{user_store().path}` nor in the demo. Train two or more seeds "
        "of one configuration to compare them, or bring embeddings of your own.",
        icon=":material/inbox:",
    )

answers_first = sorted(sets, key=lambda one: not one.comparable)
shown = answers_first if st.session_state.get("show_all_sets") else answers_first[:FIRST_SHOWN]
for one in shown:
    set_card(one)
if len(shown) < len(sets):
    st.button(
        f"Show {count(len(sets) - len(shown), 'more set')}",
        on_click=lambda: st.session_state.update(show_all_sets=True),
    )

problems = [*user_store().problems(), *demo_store().problems()]
if problems:
    st.warning(
        f"{count(len(problems), 'folder is', 'folders are')} left out, being no run that can be read:\n"
        + "\n".join(f"- {plain(problem)}" for problem in problems),
        icon=":material/folder_off:",
    )
