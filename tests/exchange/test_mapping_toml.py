"""A mapping as TOML says the same when it is read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nearid_core.errors import InvalidInput
from nearid_core.exchange import (
    PROBLEM_KINDS,
    Control,
    Derive,
    Features,
    Join,
    Mapping,
    Recode,
    read_mapping,
    write_mapping,
)
from nearid_core.exchange.mapping_toml import mapping_from_toml, mapping_to_toml

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
maybe = st.none() | texts
names = st.lists(texts, max_size=3, unique=True).map(tuple)
controls = st.builds(Control, texts, texts, st.sampled_from(["negative", "positive", "empty"]))
features = st.builds(Features, names, names, maybe, maybe, names, names, names)
joins = st.builds(
    Join, texts, st.just(("a", "b")), st.just(("c", "d")), names, st.sampled_from(["stop", "agree", "first"])
)
merges = st.dictionaries(texts, texts.map(lambda text: (text,)), max_size=1)
choices = st.sampled_from(list(PROBLEM_KINDS.values())).flatmap(
    lambda kind: st.sampled_from(kind.choices).map(lambda choice: {kind.name: choice})
)
mappings = st.builds(
    Mapping,
    name=maybe,
    files=st.none() | st.sampled_from(["runs", "layers", "batches"]),
    sample_id=names,
    layer=texts,
    batch=maybe,
    group=maybe,
    level=st.none() | st.sampled_from(["cell", "well"]),
    controls=st.lists(controls, max_size=2).map(tuple),
    features=features,
    joins=st.lists(joins, max_size=2).map(tuple),
    derive=st.lists(st.builds(Derive, texts, texts, texts), max_size=2).map(tuple),
    recode=st.lists(st.builds(Recode, texts, merges, maybe), max_size=2).map(tuple),
    choices=choices,
)


@given(mappings)
def test_a_mapping_is_the_same_after_toml(mapping: Mapping) -> None:
    assert mapping_from_toml(mapping_to_toml(mapping)) == mapping


def test_a_mapping_is_the_same_after_a_file(tmp_path: Path) -> None:
    mapping = Mapping(name='Ünïcode "quoted"\n\x7f', recode=(Recode("plate", {"Japan ☃": ("J20a", "J40")}, "unit"),))
    write_mapping(mapping, tmp_path / "m.toml")
    assert read_mapping(tmp_path / "m.toml") == mapping


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "not TOML"),
        ("batsh = 'week'", "did you mean 'batch'"),
        ("batch = 3", "expected text in quotes"),
        ("[choices]\nnan = 'ignore'", "There is no choice for nan 'ignore'"),
        ("[[joins]]\nleft = ['a']\nright = ['b']", "joins lacks file"),
        ("[[joins]]\nfile = 'a.csv'\nleft = ['a', 'b']\nright = ['b']", "give equally many"),
        ("files = 'plates'", "There is no meaning of several files 'plates'"),
        ("[[recode]]\ncolumn = 'a'\nmerge = {x = ['1'], y = ['1']}", "merged twice"),
        ("features = 3", "expected a table"),
    ],
)
def test_a_mapping_that_cannot_be_used_says_where(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(InvalidInput, match=says) as caught:
        read_mapping(tmp_path / "m.toml")
    assert "m.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("a=b", Control("a", "b")),
        ("positive:a=b=c", Control("a", "b=c", "positive")),
        ("x:y=z", Control("x:y", "z")),
    ],
)
def test_a_control_is_column_and_value_with_a_kind_where_it_is_said(text: str, control: Control) -> None:
    assert Control.parse(text) == control
