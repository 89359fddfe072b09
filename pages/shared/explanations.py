"""What the figures and numbers of a comparison mean, in plain words, with the source."""

import streamlit as st

PAPER = "Nelson, Fumero, Karaletsos and Locatello, ICLR 2026, arXiv 2603.11970"

SPACES = (
    "Component space: both representations are whitened first, so that a stretched axis does not count as disagreement; "
    "there every group contains the one before it. Latent space: the representations as they are."
)
GROUPS = "Which kind of map may carry one run's representation onto the other's."
ERROR_BY_GROUP = (
    "Distance between a run and another one mapped onto it, on samples that the map was not fitted on, in units of the "
    "largest distance between two samples. Dots: ordered pairs; bars: their mean with a 95% jackknife interval over "
    "runs. An error means agreement only as far as it lies below the grey controls. Definition: arXiv 2603.11970, "
    "near-identifiability."
)
EPSILON_PROFILE = (
    "Share of held-out samples whose error is at most ε: curve, mean over pairs; band, from the worst pair to the best. "
    "The dot is ε₉₅, the largest 95% quantile over all pairs."
)
PAIR_HEATMAP = "Mean error of each ordered pair. Click a cell for the numbers of that pair."
ICA_EFFICIENCY = (
    "How much of the gap between the best signed permutation of the axes and the best rotation ICA closes without having "
    "seen the other run: 100% is as good as the rotation fitted to both. No value where the gap is smaller than its noise."
)
COMPONENTS = (
    "A component comes back when its best partner in the other run correlates with it on held-out samples. Those too "
    "close to a Gaussian, or not stable under resampling, cannot be identified (Theorem 2 needs non-Gaussian components)."
)

COLUMNS = {
    "group": st.column_config.TextColumn("group"),
    "mean": st.column_config.NumberColumn(
        "mean error", format="%.4f", help="Mean over held-out samples, in diameters."
    ),
    "mean_low": st.column_config.NumberColumn("low", format="%.4f", help="95% interval, bootstrap over samples."),
    "mean_high": st.column_config.NumberColumn("high", format="%.4f"),
    "low": st.column_config.NumberColumn("low", format="%.4f", help="95% interval, jackknife over runs."),
    "high": st.column_config.NumberColumn("high", format="%.4f"),
    "q95": st.column_config.NumberColumn("95% within", format="%.4f", help="95% of held-out samples have less error."),
    "max": st.column_config.NumberColumn("largest", format="%.4f"),
    "r2": st.column_config.NumberColumn("R²", format="%.3f", help="Held-out variance explained, pooled over columns."),
    "constant": st.column_config.NumberColumn("predict the mean", format="%.4f"),
    "class_mean": st.column_config.NumberColumn("class mean", format="%.4f"),
    "within_label": st.column_config.NumberColumn("shuffled in class", format="%.4f"),
    "shuffled": st.column_config.NumberColumn("shuffled", format="%.4f"),
    "p_shuffled": st.column_config.NumberColumn("p", format="%.3f", help="Share of shuffles with as small an error."),
    "epsilon_95": st.column_config.NumberColumn("ε₉₅", format="%.4f", help="Largest 95% quantile over all pairs."),
    "epsilon_95_low": st.column_config.NumberColumn("ε₉₅ low", format="%.4f", help="95%, for all pairs at once."),
    "epsilon_95_high": st.column_config.NumberColumn("ε₉₅ high", format="%.4f"),
    "n_pairs": st.column_config.NumberColumn("pairs", format="%d"),
    "r": st.column_config.ProgressColumn("held-out |r|", min_value=0, max_value=1, format="%.2f"),
    "null_r": st.column_config.NumberColumn("|r| of shuffles", format="%.2f", help="95% point."),
    "efficiency": st.column_config.NumberColumn("efficiency", format="percent"),
}
