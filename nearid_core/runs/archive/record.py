"""Whether run.json has the types that everything which reads a run relies on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nearid_core.errors import CorruptRun, NearIdError
from nearid_core.runs.run import ID

_NUMBER = (int, float)
_TEXT_OR_NONE = (str, type(None))
_TYPES: dict[str, tuple[type, ...]] = {
    "schema": (int,),
    "id": (str,),
    "set": (str,),
    "title": (str,),
    "seed": (int, type(None)),
    "status": (str,),
    "reason": _TEXT_OR_NONE,
    "dataset": (dict,),
    "layers": (dict,),
    "files": (dict,),
    "metrics": (dict,),
    "plan": (dict,),
    "versions": (dict,),
    "config": (dict, type(None)),
    "created": (str,),
    "seconds": _NUMBER,
}
_OF_DATASET: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "digest": _TEXT_OR_NONE,
    "label": _TEXT_OR_NONE,
    "factors": (list,),
    "image_shape": (list, type(None)),
}
_OF_LAYER: dict[str, tuple[type, ...]] = {"shape": (list,), "dtype": (str,), "digest": (str,)}
_OF_FILE: dict[str, tuple[type, ...]] = {"bytes": (int,), "digest": (str,)}
_LONGEST_NAME = 200


def check_record(record: Mapping[str, Any]) -> None:
    """Raise CorruptRun naming the entry of the record that is not what it has to be."""
    _check_types(record, _TYPES, "its record")
    for key in ("id", "set"):
        if not ID.fullmatch(record[key]):
            raise CorruptRun(f"its {key} {record[key][:80]!a} is not an id: letters, digits, '.', '_' and '-' only.")
    if record["status"] not in {"done", "failed"}:
        raise CorruptRun(f"its status is {record['status'][:80]!a}; expected done or failed.")
    if "name" not in record["dataset"]:
        raise CorruptRun("its record names no dataset.")
    _check_types(record["dataset"], _OF_DATASET, "its dataset")
    for layer, described in record["layers"].items():
        if not layer.isprintable() or not 0 < len(layer) <= _LONGEST_NAME:
            raise CorruptRun(f"layer {layer[:80]!a} is no name of a layer: too long, or not printable.")
        _check_types(described, _OF_LAYER, f"layer {layer}", complete=True)
    for name, described in record["files"].items():
        _check_types(described, _OF_FILE, name, complete=True)
    for name, value in record.get("metrics", {}).items():
        if not isinstance(value, _NUMBER):
            raise CorruptRun(f"its metric {name[:80]!a} is not a number.")
    _check_config(record.get("config"))


def _check_types(found: Any, expected: Mapping[str, tuple[type, ...]], what: str, *, complete: bool = False) -> None:
    if not isinstance(found, dict):
        raise CorruptRun(f"{what} is {type(found).__name__}; expected an object.")
    for key, types in expected.items():
        if key not in found:
            if complete:
                raise CorruptRun(f"{what} has no {key}.")
            continue
        value = found[key]
        if not isinstance(value, types) or isinstance(value, bool):
            raise CorruptRun(f"{what} has a {key} of type {type(value).__name__}; expected {types[0].__name__}.")
        if isinstance(value, str) and not value.isprintable() and key != "reason":
            raise CorruptRun(f"{what} has a {key} with control characters.")


def _check_config(config: dict[str, Any] | None) -> None:
    """A configuration that this version knows; menus and titles are made of it."""
    if config is None:
        return
    from nearid_core.training.config import TrainConfig

    try:
        TrainConfig.from_dict(config)
    except (NearIdError, TypeError, ValueError, AttributeError) as error:
        raise CorruptRun(f"its configuration cannot be read; update nearid if it is newer ({error}).") from None
