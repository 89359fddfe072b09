"""A choice of how to look at a page, kept in the URL."""

from collections.abc import Sequence

import streamlit as st

from nearid_core.registry import unknown
from pages.shared.wording import plain


def choice(label: str, options: Sequence[str], *, key: str, default: str | None = None, help: str | None = None) -> str:
    """One of `options`; `key` is its name in the URL.

    A link that names something else gets the default and a sentence; Streamlit would drop the name without a word.
    """
    standard = default if default in options else options[0]
    asked = st.query_params.get(key)
    if asked is not None and asked not in options:
        st.warning(plain(unknown(key, asked, options)), icon=":material/link_off:")
    return st.segmented_control(
        label, options, default=standard, required=True, key=key, help=help, bind="query-params"
    )
