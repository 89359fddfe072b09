"""A figure draws the numbers of its table, all of them and no others."""

from __future__ import annotations

import numpy as np
import pytest

from nearid_core import figures
from nearid_core.align import SPACES, Comparison
from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import group_label, group_order, run_labels, run_line, run_ticks
from nearid_core.progress import Progress
from nearid_core.runs import Run


def named(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


@pytest.mark.parametrize("space", SPACES)
def test_dots_of_error_by_group_are_the_pairs_mean_errors(comparison: Comparison, space: str) -> None:
    figure = figures.error_by_group(comparison, space=space)
    for group, rows in comparison.table[comparison.table["space"] == space].groupby("group"):
        np.testing.assert_array_equal(named(figure, group_label(group)).y, rows["mean"])


@pytest.mark.parametrize("space", SPACES)
def test_bars_of_error_by_group_are_the_summary_with_its_interval(comparison: Comparison, space: str) -> None:
    figure = figures.error_by_group(comparison, space=space)
    for row in comparison.summary().query("space == @space").itertuples():
        bar = named(figure, f"{group_label(row.group)}, mean")
        assert bar.y[0] == row.mean
        assert bar.y[0] + bar.error_y.array[0] == pytest.approx(row.high)
        assert bar.y[0] - bar.error_y.arrayminus[0] == pytest.approx(row.low)


def test_controls_stand_beside_the_errors(comparison: Comparison) -> None:
    figure = figures.error_by_group(comparison)
    summary = comparison.summary().query("space == 'latent'").set_index("group").loc[group_order(comparison.groups())]
    np.testing.assert_array_equal(named(figure, "control: rows shuffled").y, summary["shuffled"])
    np.testing.assert_array_equal(named(figure, "control: shuffled within class").y, summary["within_label"])
    lines = [shape.y0 for shape in figure.layout.shapes]
    assert lines == pytest.approx([summary["constant"].mean(), summary["class_mean"].mean()])


def test_two_runs_have_no_interval_over_runs(of_two: Comparison) -> None:
    bar = named(figures.error_by_group(of_two), "rigid, mean")
    assert bar.error_y.array is None


def test_groups_stand_from_small_to_large() -> None:
    shuffled = ["linear", "ica", "rigid", "identity", "signed_permutation"]
    assert group_order(shuffled) == ["identity", "signed_permutation", "ica", "rigid", "linear"]


@pytest.mark.parametrize("space", SPACES)
def test_profile_curves_bands_and_dots_are_the_tables(comparison: Comparison, space: str) -> None:
    figure = figures.epsilon_profile(comparison, space=space)
    profile, summary = comparison.epsilon_profile(space), comparison.summary()
    for group in comparison.groups(space):
        rows = profile[profile["group"] == group]
        band, curve = (trace for trace in figure.data if trace.name == group_label(group))
        np.testing.assert_array_equal(curve.x, rows["epsilon"])
        np.testing.assert_array_equal(curve.y, rows["fraction"])
        np.testing.assert_array_equal(band.y[: len(rows)], rows["high"])
        np.testing.assert_array_equal(band.y[len(rows) :][::-1], rows["low"])
        dot = named(figure, f"ε₉₅ {group_label(group)}")
        row = summary[(summary["group"] == group) & (summary["space"] == space)].iloc[0]
        assert (dot.x[0], dot.y[0]) == (row["epsilon_95"], 0.95)


def test_heatmap_cells_are_the_pair_matrix_and_can_be_clicked(comparison: Comparison) -> None:
    figure = figures.pair_heatmap(comparison, group="rigid")
    cells, targets = figure.data
    np.testing.assert_array_equal(cells.z, comparison.pair_matrix("rigid"))
    table = comparison.table.query("space == 'latent' and group == 'rigid'").set_index(["reference", "other"])["mean"]
    assert {(reference, other): error for reference, other, error, *_ in targets.customdata} == table.to_dict()


def test_component_cells_are_the_table(comparison: Comparison) -> None:
    reference = comparison.runs[1]
    cells = figures.returning_components(comparison, reference).data[0]
    rows = comparison.components[comparison.components["reference"] == reference]
    ticks, _ = run_ticks(comparison.runs)
    labels = dict(zip(comparison.runs, ticks, strict=True))
    for row in rows.itertuples():
        assert cells.z[row.component][list(cells.x).index(labels[row.other])] == row.r


def test_a_space_or_group_that_was_not_compared_is_refused(comparison: Comparison) -> None:
    with pytest.raises(InvalidInput, match="whitened_rigid"):
        figures.pair_heatmap(comparison, group="whitened_rigid", space="component")
    with pytest.raises(InvalidInput, match="known"):
        figures.returning_components(comparison, "another")


def test_training_curves_are_the_histories(runs: list[Run]) -> None:
    figure = figures.training_curves(runs)
    for run, trace in zip(runs, figure.data, strict=True):
        np.testing.assert_array_equal(trace.x, run.history["step"])
        np.testing.assert_array_equal(trace.y, run.history["loss"])


def test_live_loss_draws_what_was_reported_on_the_whole_axis() -> None:
    reports = [Progress("training", step, 100, 1.0, {"loss": {"0": 1 / step, "3": None}}) for step in (10, 20)]
    figure = figures.live_loss(reports, set_id="digits-autoencoder-1")
    (trace,) = figure.data
    assert (trace.name, list(trace.x), list(trace.y)) == ("seed 0", [10, 20], [0.1, 0.05])
    assert tuple(figure.layout.xaxis.range) == (0, 100)


def test_nothing_to_draw_is_a_sentence_and_never_an_empty_figure() -> None:
    with pytest.raises(InvalidInput, match="No loss"):
        figures.training_curves({})
    with pytest.raises(InvalidInput, match="No loss"):
        figures.live_loss([], set_id="s")
    with pytest.raises(InvalidInput, match="no images"):
        figures.image_rows({})


def test_image_rows_place_every_image() -> None:
    inputs, outputs = np.zeros((2, 1, 3, 3), np.float32), np.ones((2, 1, 3, 3), np.float32)
    mosaic = np.asarray(figures.image_rows({"input": inputs, "output": outputs}).data[0].z)
    assert mosaic.shape == (7, 7, 4)
    assert (mosaic[:3, :3] == [0, 0, 0, 255]).all()
    assert (mosaic[4:, 4:] == 255).all()
    assert (mosaic[3] == 0).all(), "between the images the canvas is transparent"


def test_a_run_keeps_its_colour_whatever_it_is_drawn_with() -> None:
    assert run_line("digits-autoencoder-1234-s3") == run_line("mixing-autoencoder-9-s3")
    looks = {tuple(run_line(f"x-s{seed}").values()) for seed in range(32)}
    assert len(looks) == 32


def test_labels_are_short_only_while_they_tell_runs_apart() -> None:
    assert run_labels(["a-s0", "a-s1"]) == {"a-s0": "seed 0", "a-s1": "seed 1"}
    assert run_labels(["a-s0", "b-s0"]) == {"a-s0": "a-s0", "b-s0": "b-s0"}
    assert run_labels(["left", "right"]) == {"left": "left", "right": "right"}
