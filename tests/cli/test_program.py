"""What holds for every verb."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.program import main
from nearid_core.cli.verb import VERBS
from nearid_core.cli.verbs import app
from nearid_core.progress import Progress
from nearid_core.runs import RunStore
from tests.cli.conftest import TINY, Nearid

ROOT = Path(__file__).parents[2]


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_command_line_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'pandas', 'torch', 'scipy', 'sklearn', 'umap', 'numba', 'pyarrow', 'plotly'}"
    seen = _python("-c", f"import sys, nearid_core.cli; print(sorted({heavy} & set(sys.modules)))")
    assert seen.stdout.strip() == "[]"


@pytest.mark.parametrize("verb", VERBS.names())
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([verb, "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert f"example:\n  nearid {verb}" in shown
    assert "--json" in shown


@pytest.mark.parametrize(("verb", "name"), [("datasets", "digits"), ("families", "autoencoder")])
def test_registries_are_listed_in_one_line_each(nearid: Nearid, verb: str, name: str) -> None:
    assert any(line.startswith(f"{name} ") for line in nearid(verb).out.splitlines())
    assert name in [entry["name"] for entry in json.loads(nearid(verb, "--json").out)]
    assert "  n = " in nearid("datasets", "nonlinear_mixing").out


def test_module_and_exit_code() -> None:
    wrong = _python("-m", "nearid_core", "trian")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert _python("-m", "nearid_core").returncode == 0


def test_training_prints_json_only_and_silently(nearid: Nearid, tmp_path: Path) -> None:
    outcome = nearid("train", *TINY, "--seeds", "3", "--store", tmp_path, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = json.loads(outcome.out)
    assert [(run["seed"], run["status"]) for run in found["runs"]] == [(3, "done")]
    assert found["runs"][0]["id"] in RunStore(tmp_path)


def test_failed_seeds_are_named_with_their_reason_and_the_exit_code_is_1(nearid: Nearid, tmp_path: Path) -> None:
    diverging = ["--set", "learning_rate=1000", "--set", "weight_decay=10000"]
    outcome = nearid("train", *TINY, *diverging, "--seeds", "0-1", "--store", tmp_path)
    assert outcome.code == 1
    assert "Seed 0 failed: " in outcome.err
    assert "Seed 1 failed: " in outcome.err
    assert outcome.out.startswith("0 of 2 runs")


def test_an_unexpected_error_is_a_sentence(nearid: Nearid, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(store: RunStore) -> list[str]:
        raise RuntimeError("the disk\nfell out")

    monkeypatch.setattr(RunStore, "problems", break_down)
    outcome = nearid("runs")
    assert outcome.code == 1
    assert outcome.sentences == ["Unexpected RuntimeError: the disk fell out (set NEARID_TRACEBACK=1 to see where)."]


def test_an_interrupted_training_says_that_it_can_be_resumed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nearid_core", "train", *TINY, "--set", "epochs=100000", "--store", str(tmp_path)]
    training = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # jobs in a shell's background ignore it
    )
    deadline = time.monotonic() + 60
    while not any(tmp_path.glob(".partial/*/progress.jsonl")):
        assert training.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    training.send_signal(signal.SIGINT)
    out, err = training.communicate(timeout=30)
    assert (training.returncode, out) == (130, "")
    assert err.splitlines()[-1].startswith("Interrupted; the same command takes unfinished runs up")
    assert "Traceback" not in err
    store = RunStore(tmp_path)
    assert store.runs() == []
    assert store.problems() == []
    assert not any(one.alive for one in store.unfinished())


def test_a_log_file_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_on_stderr(silent=False) as on_progress:
        for second in range(61):
            losses = {"0": 1.0, "1": 3.0, "2": float("nan")}
            detail = {"loss": losses, "samples_per_second": 1234.5}
            on_progress(Progress("training", second, 60, float(second), detail))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert lines[0] == "training: 25%, loss 2, 1,234 samples/s, about 45 s left"


def test_the_app_is_served_to_this_machine_only_and_tells_nobody() -> None:
    command = app.command(Path("app.py"), 8600, no_browser=True)
    assert "--server.address=127.0.0.1" in command
    assert "--browser.gatherUsageStats=false" in command
    assert "--server.headless=true" in command
    assert "--server.port=8600" in command
