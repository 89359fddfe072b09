"""An imported embedding without seeds is a table: seed and layer stay out of sight."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import nearid_core as nid
from tests.pages.conftest import APP


@pytest.fixture
def table(monkeypatch, tmp_path):
    store = nid.RunStore(tmp_path / "store")
    monkeypatch.setenv("NEARID_STORE", str(store.path))
    values = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=["f_1", "f_2", "f_3"])
    path = tmp_path / "profiles.csv"
    values.to_csv(path, index=False)
    nid.import_runs([path], store)
    return store.sets()[0]


def open_page(name, table):
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params["set"] = table.id
    return app.run().switch_page(f"pages/{name}.py").run()


@pytest.mark.parametrize("page", ["overview", "alignment", "runs", "train"])
def test_a_table_breaks_no_page_and_has_no_layer_to_choose(table, page):
    app = open_page(page, table)
    assert not app.exception
    assert not app.error
    assert "Layer" not in [box.label for box in app.sidebar.selectbox]


def test_one_table_says_what_it_takes_to_compare(table):
    app = open_page("alignment", table)
    assert "This is one table" in app.info[0].value
    assert not [button for button in app.button if "seed" in button.label]
