"""Alignment: do these runs agree at this layer, and up to what?"""

import streamlit as st

from pages.shared import routes
from pages.shared.alignment import compute, pairs, parts, verdict
from pages.shared.cards import badges, say_what_is_lacking
from pages.shared.comparisons import lookup
from pages.shared.selection import current
from pages.shared.wording import plain

routes.enter()

selection = current()
chosen, layer = selection.chosen, selection.layer

st.title("Alignment")
if selection.missing:
    st.warning(plain(selection.missing), icon=":material/link_off:")
    st.stop()
