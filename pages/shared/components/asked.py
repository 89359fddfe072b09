"""Which columns are the factors: as the dataset says, or as it is chosen here."""

import streamlit as st

from nearid_core.factors import SCORES, VARIANTS, Settings, default_factors, possible_factors, settings_of
from nearid_core.runs import Run
from pages.shared.choices import choice


def asked_settings(run: Run) -> Settings | None:
    """None where nothing is known of the samples, or nothing is chosen."""
    possible, usual = possible_factors(run), list(default_factors(run))
    if not possible:
        return None
    with st.expander("Factors and settings", expanded=not usual, icon=":material/tune:", key="factor_settings"):
        factors = st.multiselect(
            "Factors", possible, default=[name for name in usual if name in possible], key="factors",
            bind="query-params", placeholder="Which columns are known factors?",
            help="What produced the samples, as far as it is known: factors of a renderer, labels, batches.",
        )  # fmt: skip
        left, right = st.columns(2, gap="medium")
        with left:
            variant = choice("InfoMEC variant", {one.name: one.name for one in VARIANTS}, key="variant", help="; ".join(
                f"{one.name}: {one.description}" for one in VARIANTS))  # fmt: skip
        with right:
            dci = st.toggle(
                "Also DCI", key="dci", bind="query-params",
                help=f"{SCORES['dci'].description}. It takes minutes: boosted trees for each factor and space.",
            )  # fmt: skip
    if not factors:
        return None
    scores = ("infomec", "mcc", "mig", "sap", *(["dci"] if dci else []))
    return settings_of(run, factors, variant=variant, scores=scores)
