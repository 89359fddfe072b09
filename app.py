"""The app's router: the pages, the runs to look at, and one place where failures become sentences."""

import streamlit as st

from pages.shared import routes, selection
from pages.shared.failures import sentences

st.set_page_config(page_title="nearid", page_icon=str(routes.ICON), layout="wide", initial_sidebar_state=280)
page = routes.navigation()
with sentences():
    selection.sidebar()
    page.run()
