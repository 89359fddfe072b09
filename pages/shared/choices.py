"""A choice of how to look at a page, kept in the URL."""

from collections.abc import Mapping, Sequence

import streamlit as st

from nearid_core.registry import unknown
from pages.shared.wording import plain

FEW = 3  # up to this many choices stand side by side


def choice(
    label: str,
    options: Mapping[str, str] | Sequence[str],
    *,
    key: str,
    default: str | None = None,
    help: str | None = None,
) -> str:
    """One of `options` (value to label); `key` is its name in the URL, where the label stands for it.

    A link that names something else gets the default and a sentence; Streamlit would drop the name without a word.
    """
    labels = dict(options) if isinstance(options, Mapping) else {option: option for option in options}
    asked = st.query_params.get(key)
    if asked is not None and asked not in labels.values():
        st.warning(plain(unknown(key, asked, labels.values())), icon=":material/link_off:")
    standard = default if default in labels else next(iter(labels))
    bound = {"key": key, "help": help, "bind": "query-params", "format_func": labels.__getitem__, "required": True}
    if len(labels) <= FEW:
        return st.segmented_control(label, list(labels), default=standard, **bound)
    return st.selectbox(label, list(labels), index=list(labels).index(standard), **bound)
