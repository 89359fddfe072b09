"""A mapping as a TOML file, which a person can read, edit and give to the command line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping as Dict
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from nearid_core.errors import InvalidInput
from nearid_core.exchange.mapping import Control, Derive, Features, Join, Mapping, Recode
from nearid_core.exchange.problem import check_choices
from nearid_core.registry import unknown
from nearid_core.runs.atomic import write_text

_LARGEST = 1 << 20  # bytes; a mapping is written by hand, and anything larger is not one
_LISTS = {"controls": Control, "joins": Join, "derive": Derive, "recode": Recode}
_TUPLES = {"sample_id", "columns", "prefix", "exclude", "exclude_prefix", "arrays", "left", "right"}

Part = TypeVar("Part")


def read_mapping(path: str | Path) -> Mapping:
    """The mapping in a file. Raises InvalidInput that names the file and what in it is wrong."""
    path = Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise InvalidInput(f"{path} has {path.stat().st_size:,} bytes; a mapping has at most {_LARGEST:,}.")
        return mapping_from_toml(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidInput(f"The mapping {path} cannot be read ({error.strerror}).") from None
    except (UnicodeDecodeError, InvalidInput) as error:
        raise InvalidInput(f"The mapping {path} cannot be used: {error}") from None


def write_mapping(mapping: Mapping, path: str | Path) -> None:
    try:
        write_text(Path(path), mapping_to_toml(mapping))
    except OSError as error:
        raise InvalidInput(f"The mapping {path} cannot be written ({error.strerror}).") from None


def mapping_to_toml(mapping: Mapping) -> str:
    """Only what differs from the defaults, so that the file says what the user said."""
    stated = _stated(mapping)
    tables = {name: stated.pop(name) for name in ("features", "choices") if name in stated}
    lists = {name: stated.pop(name) for name in _LISTS if name in stated}
    blocks = ["".join(f"{name} = {_value(value)}\n" for name, value in stated.items())]
    blocks += [_block(f"[{name}]", _stated(part) if name == "features" else part) for name, part in tables.items()]
    blocks += [_block(f"[[{name}]]", _stated(part)) for name, parts in lists.items() for part in parts]
    return "\n".join(block for block in blocks if block)


def mapping_from_toml(text: str) -> Mapping:
    """Raises InvalidInput where it is not TOML, or says something that a mapping does not have."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"it is not TOML: {error}.") from None
    for name, part in _LISTS.items():
        if name in said:
            said[name] = tuple(_made(part, entry, name) for entry in _as_list(said[name], name))
    if "features" in said:
        said["features"] = _made(Features, said["features"], "features")
    if "choices" in said:
        said["choices"] = check_choices(_texts(said["choices"], "choices"))
    return _made(Mapping, said, "mapping")


def _stated(part: Any) -> dict[str, Any]:
    """Fields whose value is not the default."""
    stated = {}
    for entry in fields(part):
        value = getattr(part, entry.name)
        default = entry.default if entry.default_factory is MISSING else entry.default_factory()
        if value is not None and value != default:
            stated[entry.name] = value
    return stated


def _block(heading: str, values: Dict[str, Any]) -> str:
    return f"{heading}\n" + "".join(f"{_key(name)} = {_value(value)}\n" for name, value in values.items())


def _value(value: Any) -> str:
    if isinstance(value, Dict):
        inner = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, tuple):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    return _text(value)


def _text(text: str) -> str:
    # TOML's basic strings are JSON's, except that JSON leaves DEL as it is and escapes beyond the BMP in surrogates.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _text(key)


def _made(kind: type[Part], said: Any, where: str) -> Part:
    if not isinstance(said, dict):
        raise InvalidInput(f"{where} is {said!r}; expected a table of settings.")
    known = [entry.name for entry in fields(kind)]  # type: ignore[arg-type]
    for name in said:
        if name not in known:
            raise InvalidInput(unknown(f"setting of {where}", name, known))
    values = {name: _typed(name, value, where) for name, value in said.items()}
    lacking = [
        entry.name
        for entry in fields(kind)  # type: ignore[arg-type]
        if entry.default is MISSING and entry.default_factory is MISSING and entry.name not in values
    ]
    if lacking:
        raise InvalidInput(f"{where} lacks {', '.join(lacking)}.")
    return kind(**values)


def _typed(name: str, value: Any, where: str) -> Any:
    if name in _LISTS or name in ("features", "choices"):
        return value
    if name in _TUPLES:
        entries = [value] if isinstance(value, str) else _as_list(value, name)
        return tuple(_one_text(entry, f"{where}: {name}") for entry in entries)
    if name == "merge":
        return {new: _typed("columns", old, f"{where}: {new}") for new, old in _as_table(value, name).items()}
    return _one_text(value, f"{where}: {name}")


def _one_text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{where} is {value!r}; expected text in quotes.")
    return value


def _texts(value: Any, where: str) -> dict[str, str]:
    return {name: _one_text(entry, f"{where}: {name}") for name, entry in _as_table(value, where).items()}


def _as_table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where} is {value!r}; expected a table.")
    return value


def _as_list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidInput(f"{where} is {value!r}; expected a list.")
    return value
