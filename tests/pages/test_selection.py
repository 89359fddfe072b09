"""The run set and the layer live in the URL."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from nearid_core.runs import RunStore
from pages.shared.selection import set_labels
from pages.shared.stores import shown_sets
from tests.fabricate import CONFIG, fabricate_runs
from tests.pages.conftest import APP, Open, text


def test_the_choice_is_written_into_the_url(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment")
    assert app.query_params["set"] == CONFIG.set_id
    assert app.query_params["layer"] == "latent"


def test_a_link_opens_the_set_and_layer_it_names(open_page: Open, compared: RunStore) -> None:
    newer = replace(CONFIG, latent_dim=2)
    fabricate_runs(compared, range(3, 6), newer)
    app = open_page("alignment", set=CONFIG.set_id, layer="encoder_1")
    assert app.selectbox(key="picked_set").value == CONFIG.set_id
    assert app.selectbox(key="picked_layer").value == "encoder_1"


def test_an_unknown_set_is_named_and_nothing_is_shown_in_its_place(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment", set="digits-autoencoder-00000000", layer="latent")
    assert "digits-autoencoder-00000000" in text(app).replace("\\", "")
    assert "neither in this store nor in the demo" in text(app)
    assert "95% of samples" not in text(app)
    assert app.query_params["set"] == "digits-autoencoder-00000000", "the link stays as it was"
    app.selectbox(key="picked_set").select(CONFIG.set_id).run()
    assert "95% of samples" in text(app)
    assert "neither" not in text(app)


def test_an_unknown_layer_is_named_with_the_known_ones(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment", set=CONFIG.set_id, layer="latnt")
    assert "did you mean 'latent'" in text(app)
    app.selectbox(key="picked_layer").select("latent").run()
    assert "95% of samples" in text(app)


def test_unknown_ways_to_look_are_named(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment", set=CONFIG.set_id, space="outer")
    assert "There is no space 'outer'" in text(app)


def test_picking_a_set_keeps_the_layer_where_it_has_it(open_page: Open, compared: RunStore) -> None:
    other = replace(CONFIG, latent_dim=2)
    fabricate_runs(compared, range(2), other)
    app = open_page("alignment", set=CONFIG.set_id, layer="encoder_1")
    app.selectbox(key="picked_set").select(other.set_id).run()
    assert app.query_params["set"] == other.set_id
    assert app.query_params["layer"] == "encoder_1"


def test_the_choice_outlives_a_page_switch(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment", set=CONFIG.set_id, layer="encoder_1")
    app.query_params.clear()
    app.switch_page("pages/runs.py").run()
    assert app.query_params["layer"] == "encoder_1"


def test_no_two_sets_share_a_label(store: RunStore) -> None:
    fabricate_runs(store, [0])
    fabricate_runs(store, [0], replace(CONFIG, negative_slope=0.5))
    labels = set_labels(shown_sets())
    assert len(set(labels.values())) == 2


def test_a_page_that_a_fresh_server_runs_alone_calls_the_router(compared: RunStore) -> None:
    """Without `open_page`, which spares the other tests this detour."""
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.switch_page("pages/alignment.py").run()
    assert app.selectbox(key="picked_set").value == CONFIG.set_id
    assert "95% of samples" in text(app)


def test_a_set_whose_last_run_was_deleted_gives_way_to_another(open_page: Open, compared: RunStore) -> None:
    other = replace(CONFIG, latent_dim=2)
    fabricate_runs(compared, [0], other)
    app = open_page("alignment", set=other.set_id)
    compared.delete(other.run_id(0))
    app.run()
    assert "neither in this store" not in text(app)
    assert app.query_params["set"] == CONFIG.set_id
