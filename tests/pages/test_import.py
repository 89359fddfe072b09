"""Bring your own: what a visitor drops on the Runs page, corrects, and finds in the store."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import nearid_core as nid
from nearid_core.exchange import Mapping
from nearid_core.runs import RunStore
from nearid_core.runs.uploads import FOLDER
from pages.shared import stores
from pages.shared.wording import plain
from tests.exchange.conftest import MAPPINGS, REAL, real
from tests.pages.conftest import Open, text
from tests.pages.test_runs import select

RNG = np.random.default_rng(0)


def two_runs(path: Path, n: int = 60) -> Path:
    """A table that holds two runs of the same samples, told apart by a column that nothing would guess."""
    frame = pd.DataFrame(RNG.normal(size=(2 * n, 3)), columns=["z0", "z1", "z2"])
    ids = [f"s{row}" for row in range(n)] * 2
    frame.insert(0, "sample", ids)
    frame.insert(1, "attempt", np.repeat(["one", "two"], n))
    frame.insert(2, "kind", np.tile(["a", "b"], n))
    frame.to_csv(path, index=False)
    return path


def open_with(open_page: Open, *paths: Path) -> AppTest:
    app = open_page("runs")
    return field(app.text_area, "import_paths").set_value("\n".join(map(str, paths))).run()


def field(elements: list, name: str):
    found = [element for element in elements if element.key and element.key.startswith(f"{name}_")]
    assert len(found) == 1, [element.key for element in elements]
    return found[0]


def press(app: AppTest, name: str) -> AppTest:
    app = field(app.button, f"import_{name}").click().run(timeout=120)
    assert not app.exception
    return app


@pytest.mark.parametrize("name", REAL)
def test_a_real_table_comes_in_as_it_does_in_a_terminal(
    open_page: Open, store: RunStore, tmp_path: Path, name: str
) -> None:
    paths, mapping = real(name)
    expected = nid.import_runs(paths, RunStore(tmp_path / "terminal"), mapping=mapping)
    app = press(open_with(open_page, *paths, Path(shutil.copy(MAPPINGS / f"{name}.toml", tmp_path))), "go")
    runs = store.runs()
    assert [run.record["layers"] for run in runs] == [run.record["layers"] for run in expected]
    assert all(run.samples.equals(other.samples) for run, other in zip(runs, expected, strict=True))
    roles = ("batch", "label", "group", "position", "dose", "replicate", "level", "control", "controls")
    for role in roles:
        assert runs[0].dataset[role] == expected[0].dataset[role], role
    assert f"is in: {len(runs)} {'run' if len(runs) > 1 else 'table'}" in text(app)


def test_a_wrong_guess_is_corrected_and_two_runs_come_out(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    app = open_with(open_page, two_runs(tmp_path / "mine.csv"))
    assert "One table" in text(app)
    app = field(app.selectbox, "import_run").select("attempt").run()
    app = field(app.selectbox, "import_label").select("kind").run()
    app = field(app.multiselect, "import_sample_id").set_value(["sample"]).run()
    assert "2 runs" in text(app)
    assert not field(app.button, "import_go").disabled
    press(app, "go")
    assert [run.dataset["label"] for run in store.runs()] == ["kind", "kind"]
    assert len(store.sets()) == 1


def test_a_problem_waits_for_a_choice_and_the_choice_is_what_happens(
    open_page: Open, store: RunStore, tmp_path: Path
) -> None:
    values = RNG.normal(size=(50, 3))
    values[7, 1] = np.nan
    pd.DataFrame(values, columns=["z0", "z1", "z2"]).to_parquet(tmp_path / "holes.parquet")
    app = open_with(open_page, tmp_path / "holes.parquet")
    assert field(app.button, "import_go").disabled
    app = field(app.selectbox, "import_choice_nan").select("drop rows").run()
    press(app, "go")
    assert store.runs()[0].representation("embedding").values.shape == (49, 3)


def test_the_mapping_can_be_edited_as_a_file(open_page: Open, tmp_path: Path) -> None:
    app = open_with(open_page, two_runs(tmp_path / "mine.csv"))
    app = (
        field(app.text_area, "import_toml").set_value('name = "edited"\nrun = "attempt"\nsample_id = ["sample"]').run()
    )
    app = press(app, "apply")
    assert field(app.text_input, "import_name").value == "edited"
    assert field(app.selectbox, "import_run").value == "attempt"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.csv", b"", "empty.csv"),
        ("header.csv", b"a,b,c\n", "header.csv"),
        ("renamed.parquet", b"a,b\n1,2\n", "renamed.parquet"),
        ("truncated.npz", b"PK\x03\x04half", "truncated.npz"),
    ],
)
def test_a_wrong_file_is_a_sentence_and_writes_nothing(
    open_page: Open, store: RunStore, tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    app = open_with(open_page, tmp_path / name)
    assert len(app.error) == 1
    assert sentence in app.error[0].value.replace("\\", "")
    assert not app.exception
    assert store.runs() == []


def test_a_path_that_is_not_there_is_a_sentence(open_page: Open, tmp_path: Path) -> None:
    assert "absent.csv" in open_with(open_page, tmp_path / "absent.csv").error[0].value


def test_names_from_a_file_are_shown_as_text(open_page: Open, tmp_path: Path) -> None:
    frame = pd.DataFrame(RNG.normal(size=(30, 2)), columns=["<img src=x onerror=alert(1)>", "**bold**"])
    frame.assign(constant=1.0).to_csv(tmp_path / "hostile.csv", index=False)
    app = open_with(open_page, tmp_path / "hostile.csv")
    shown = [element.value for element in app.markdown] + [element.value for element in app.caption]
    assert not any("<img" in line or "**bold**" in line for line in shown)
    assert not app.exception


def test_an_address_in_a_file_is_no_link() -> None:
    shown = plain("see http://evil.example, www.evil.example or mailto:a@evil.example, at 12:30")
    for link in ("http://", "http\\://", "www.", "mailto:a"):
        assert link not in shown
    assert "12" in shown


def test_uploads_are_written_inside_the_store_and_go_with_the_import(
    open_page: Open, store: RunStore, tmp_path: Path
) -> None:
    content = two_runs(tmp_path / "mine.csv").read_bytes()
    app = open_page("runs")
    app = field(app.file_uploader, "import_files").set_value(("../../mine.csv", content, "text/csv")).run()
    kept = list((store.path / FOLDER).rglob("*.csv"))
    assert [file.name for file in kept] == ["mine.csv"]
    assert store.problems() == []
    app = field(app.selectbox, "import_run").select("attempt").run()
    app = field(app.multiselect, "import_sample_id").set_value(["sample"]).run()
    press(app, "go")
    assert len(store.runs()) == 2
    assert not (store.path / FOLDER).exists()


def test_a_cancelled_import_leaves_nothing(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    content = two_runs(tmp_path / "mine.csv").read_bytes()
    app = field(open_page("runs").file_uploader, "import_files").set_value(("mine.csv", content, "text/csv")).run()
    app = press(app, "cancel")
    assert not (store.path / FOLDER).exists()
    assert store.runs() == []
    assert not field(app.text_area, "import_paths").value


def test_a_read_only_server_takes_nothing_in(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stores.READONLY, "1")
    assert not open_page("runs").file_uploader
    assert not [button for button in open_page().button if button.label == "Bring your own"]


def test_an_imported_table_is_looked_into_by_where_it_came_from(
    open_page: Open, store: RunStore, tmp_path: Path
) -> None:
    frame = pd.DataFrame(RNG.normal(size=(40, 3)), columns=["z0", "z1", "z2"]).assign(plate=["a", "b"] * 20)
    frame.to_parquet(tmp_path / "screen.parquet")
    nid.import_runs(tmp_path / "screen.parquet", store, mapping=Mapping(batch="plate"))
    app = select(open_page("runs"), 0)
    assert "imported" in text(app)
    settings = next(table.value for table in app.dataframe if "setting" in table.value)
    shown = dict(zip(settings["setting"], settings.iloc[:, 1], strict=True))
    assert (shown["files"], shown["batch"]) == ("screen.parquet", "plate")
    assert not app.exception
