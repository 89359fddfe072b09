"""What the figures and numbers of a comparison mean, in plain words, with the source."""

import streamlit as st

SPACES = (
    "Latent: the representations as they are. Component: both whitened first, so that a stretched axis does not count "
    "as disagreement; there each group contains the one before it."
)
GROUPS = "Which kind of map may carry one run's representation onto the other's."
REFERENCE = "The run whose components are followed into the others, ordered by how far from Gaussian they are."

ERROR_BY_GROUP = (
    "Distance between a run and another one mapped onto it, on samples that the map was not fitted on; the unit is the "
    "largest distance between two samples of the run. Dots: ordered pairs; bars: their mean with a 95% interval "
    "(jackknife over runs). Agreement is what lies below the grey controls. After arXiv 2603.11970."
)
EPSILON_PROFILE = (
    "Share of held-out samples with an error of at most ε. Curve: mean over pairs; band: from the worst pair to the "
    "best; dot: ε₉₅, the largest 95% quantile over pairs. Click a name to show or hide its curve."
)
PAIR_HEATMAP = "Mean error of each pair; colours end at the error of predicting the mean. Click a cell for its numbers."
ICA_EFFICIENCY = (
    "The gap is between the best signed permutation of the latents and the best rotation of whitened latents, which is "
    "fitted to both runs. ICA sees one run at a time; 100% means that it closes the gap all the same, 0% that it is no "
    "better than the latents' own axes. Interval: jackknife over runs."
)
COMPONENTS = (
    "Correlation of each component with its partner in another run, on held-out samples; bold from .9. Stars: too "
    "close to Gaussian, or not found again when samples are redrawn: not identifiable (Theorem 2)."
)

PAIR_COLUMNS = (
    *("group", "mean", "mean_low", "mean_high", "q95", "max", "r2"),
    *("constant", "class_mean", "within_label", "shuffled", "p_shuffled"),
)
SUMMARY_COLUMNS = (
    *("group", "mean", "low", "high", "epsilon_95", "epsilon_95_low", "epsilon_95_high", "r2"),
    *("constant", "class_mean", "within_label", "shuffled"),
)


def _error(label: str, help: str | None = None) -> st.column_config.NumberColumn:
    return st.column_config.NumberColumn(label, format="%.4f", help=help)


COLUMNS = {
    "mean": _error("mean error", "Over held-out samples, in diameters."),
    "mean_low": _error("low", "95% interval, bootstrap over samples."),
    "mean_high": _error("high", "95% interval, bootstrap over samples."),
    "low": _error("low", "95% interval, jackknife over runs; there is none for two runs."),
    "high": _error("high", "95% interval, jackknife over runs; there is none for two runs."),
    "q95": _error("95% within", "95% of the held-out samples have no larger error."),
    "max": _error("largest"),
    "r2": st.column_config.NumberColumn("R²", format="%.3f", help="Held-out variance explained, pooled over columns."),
    "constant": _error("mean predicted", "Control: the error of predicting the reference's mean."),
    "class_mean": _error("class mean", "Control: the error of predicting the mean of the sample's class."),
    "within_label": _error("shuffled in class", "Control: the map, applied to another sample of the class."),
    "shuffled": _error("shuffled", "Control: the map, applied to another sample."),
    "p_shuffled": st.column_config.NumberColumn("p", format="%.3f", help="Share of shuffles with as small an error."),
    "epsilon_95": _error("ε₉₅", "The largest 95% quantile over all pairs."),
    "epsilon_95_low": _error("ε₉₅ low", "95% interval, for all pairs at once."),
    "epsilon_95_high": _error("ε₉₅ high", "95% interval, for all pairs at once."),
    "efficiency": st.column_config.NumberColumn("efficiency", format="percent"),
}
