"""Failures as sentences: what was refused, in the words of whoever refused it; a traceback only when asked for."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from nearid_core.errors import NearIdError
from pages.shared.wording import plain


@contextmanager
def sentences() -> Iterator[None]:
    """Show what goes wrong inside as one sentence; everything painted before it stays."""
    try:
        yield
    except NearIdError as error:
        st.error(plain(str(error)), icon=":material/block:")
    except Exception as error:  # a page never shows a traceback by itself
        summary = (str(error).splitlines() or [""])[0][:200]
        st.error(
            f"Something failed that should not have ({type(error).__name__}: {plain(summary)}).",
            icon=":material/error:",
        )
        with st.expander("Details for a bug report"):
            st.code(traceback.format_exc(), language=None)
