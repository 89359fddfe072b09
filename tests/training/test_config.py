"""A configuration is explicit, checked where it is made, and the same after a trip through text."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nearid_core as nid
from nearid_core.models import FAMILIES
from nearid_core.training import TRAIN_OPTIONS

DEMO = Path(__file__).parents[2] / "data" / "demo" / "runs"


def test_unset_values_are_filled_in() -> None:
    config = nid.TrainConfig("digits", "autoencoder")
    assert (config.latent_dim, config.epochs) == (6, 360)
    assert config.options["hidden"] == (128, 128)
    assert config == nid.TrainConfig("digits", "autoencoder", epochs=360, options={"hidden": [128, 128]})


@settings(max_examples=50, deadline=None)
@given(
    latent_dim=st.integers(1, 4096),
    epochs=st.none() | st.integers(1, 10**6),
    learning_rate=st.floats(1e-8, 1e3),
    weight_decay=st.floats(0, 1e4),
    negative_slope=st.floats(0, 1),
    hidden=st.lists(st.integers(1, 8192), min_size=1, max_size=4).map(tuple),
    decoder=st.sampled_from(["free", "orthonormal"]),
)
def test_a_configuration_survives_json_pickle_and_copying(
    hidden: tuple[int, ...], decoder: str, **fields: float
) -> None:
    options = {"hidden": hidden, "decoder": decoder}
    config = nid.TrainConfig("digits", "autoencoder", options=options, **fields)  # type: ignore[arg-type]
    for again in (
        nid.TrainConfig.from_json(config.to_json()),
        nid.TrainConfig.from_dict(json.loads(json.dumps(config.to_dict()))),
        pickle.loads(pickle.dumps(config)),
        copy.deepcopy(config),
    ):
        assert again == config
        assert hash(again) == hash(config)
        assert again.run_id(3) == config.run_id(3)


def test_ids_differ_exactly_where_settings_do() -> None:
    config = nid.TrainConfig("digits", "autoencoder", latent_dim=4)
    assert config.run_id(2) == f"{config.set_id}-s2"
    assert config.set_id != nid.TrainConfig("digits", "autoencoder", latent_dim=5).set_id
    reordered = nid.TrainConfig("digits", "autoencoder", latent_dim=4, options={"decoder": "free", "data_seed": 0})
    assert config.set_id == reordered.set_id


def test_flat_text_settings_are_read_as_what_they_are() -> None:
    flat = {"latent_dim": "4", "hidden": "32,16", "weight_decay": "0.3", "n": "none", "decoder": "orthonormal"}
    config = nid.TrainConfig.from_settings("digits", "autoencoder", flat)
    assert (config.latent_dim, config.weight_decay) == (4, 0.3)
    assert config.family_options["hidden"] == (32, 16)
    assert config.family_options["decoder"] == "orthonormal"
    assert set(config.family_options) == {option.name for option in FAMILIES["autoencoder"].options}
    assert config.dataset_options == {"n": None, "data_seed": 0}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"latent_dim": 0}, "latent_dim is 0; expected a whole number from 1 to 4096."),
        ({"negative_slope": 1.5}, "negative_slope is 1.5; expected a number from 0 to 1."),
        ({"weight_decay": float("nan")}, "weight_decay is nan; expected a number from 0 to 10000."),
        ({"family": "autoencodr"}, "did you mean 'autoencoder'?"),
        ({"dataset": "digit"}, "did you mean 'digits'?"),
        ({"options": {"hiden": (3,)}}, "did you mean 'hidden'?"),
        ({"options": {"decoder": "orthogonal"}}, "did you mean 'orthonormal'?"),
        ({"options": {"hidden": ()}}, "hidden is (); expected whole numbers separated by commas"),
    ],
)
def test_what_cannot_be_trained_is_one_sentence(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(nid.InvalidInput) as raised:
        nid.TrainConfig(**{"dataset": "digits", "family": "autoencoder", **wrong})  # type: ignore[arg-type]
    assert sentence in str(raised.value)


def test_an_unknown_setting_names_the_nearest() -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean 'latent_dim'"):
        nid.TrainConfig.from_settings("digits", "autoencoder", {"latent": "3"})
    with pytest.raises(nid.InvalidInput, match="has the keys"):
        nid.TrainConfig.from_dict({"dataset": "digits"})


def test_every_setting_says_what_follows_from_it() -> None:
    for option in nid.TrainConfig.settings("nonlinear_mixing", "autoencoder"):
        assert option.help.endswith("."), option.name
        assert option.default is None or option.check(option.default) == option.default
    assert len({option.name for option in TRAIN_OPTIONS}) == len(TRAIN_OPTIONS)


def test_settings_introduced_later_leave_the_ids_of_earlier_runs_as_they_were() -> None:
    config = nid.TrainConfig("digits", "autoencoder")
    later = [option for option in config.settings("digits", "autoencoder") if option.introduced_later]
    assert {option.name for option in later} >= {"architecture", "channels", "fc"}
    for run in nid.RunStore(DEMO).runs():  # made before those settings
        assert run.config is not None
        assert run.config.run_id(run.seed or 0) == run.id
    for option in later:
        other = option.choices[-1] if option.choices else (7,) if option.kind is tuple else 7
        changed = nid.TrainConfig.from_settings("digits", "autoencoder", {option.name: other})
        assert changed.set_id != config.set_id, option.name


def test_a_configuration_stored_before_a_setting_was_introduced_is_read_with_its_default() -> None:
    config = nid.TrainConfig("digits", "autoencoder")
    stored = config.to_dict()
    for option in config.settings("digits", "autoencoder"):
        if option.introduced_later:
            (stored if option.name in stored else stored["options"]).pop(option.name)
    assert nid.TrainConfig.from_dict(stored) == config
