"""What to train, in full: two equal configurations and one seed give one model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from nearid_core.datasets import DATASETS
from nearid_core.digest import json_digest
from nearid_core.errors import InvalidInput
from nearid_core.models import FAMILIES
from nearid_core.options import Option, canonical_json, resolve
from nearid_core.registry import unknown

TRAIN_OPTIONS: tuple[Option, ...] = (
    Option("latent_dim", 6, int, "Width of the latent layer, the representation under study.", 1, 4096),
    Option(
        "epochs",
        None,
        int,
        "Passes over the training samples; time grows with it. Empty: what suits the dataset.",
        1,
        1_000_000,
        optional=True,
    ),
    Option("learning_rate", 1e-3, float, "Peak step size of Adam; too large and the loss becomes NaN.", 1e-8, 1e3),
    Option(
        "weight_decay",
        None,
        float,
        "Decoupled weight decay; it evens out the decoder and prunes latents that the data do not need. Empty: what "
        "the family needs, none for most.",
        0.0,
        1e4,
        optional=True,
    ),
    Option("batch_size", 128, int, "Samples a step.", 2, 1_000_000),
    Option(
        "negative_slope",
        0.2,
        float,
        "LeakyReLU slope of the decoder; 1 makes it linear. A smaller slope loosens the bound on rigid error.",
        0.0,
        1.0,
    ),
    Option(
        "stem",
        0,
        int,
        "Leading principal components of the training samples that the network works on, in place of the samples: many "
        "times as fast on large images, and what the components leave out is not learnt. 0: none, the samples.",
        0,
        4096,
        introduced_later=True,
    ),
)


@dataclass(frozen=True)
class TrainConfig:
    """A dataset, a family and every setting that decides the outcome besides the seed.

    Unset values are filled in at construction, so a stored configuration is explicit. `options` takes what the dataset
    and the family declare (``TrainConfig.settings()`` lists them all).

    Raises InvalidInput for an unknown name (with the nearest known one) or a value out of range.
    """

    dataset: str
    family: str
    latent_dim: int = 6
    epochs: int | None = None
    learning_rate: float = 1e-3
    weight_decay: float | None = None
    batch_size: int = 128
    negative_slope: float = 0.2
    stem: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        source, family = DATASETS[self.dataset], FAMILIES[self.family]
        for option in TRAIN_OPTIONS:
            object.__setattr__(self, option.name, option.check(getattr(self, option.name)))
        if self.epochs is None:
            object.__setattr__(self, "epochs", source.default_epochs)
        if self.weight_decay is None:
            object.__setattr__(self, "weight_decay", family.weight_decay)
        declared = (*source.options, *family.options)
        options = resolve(declared, self.options, f"{self.dataset} with {self.family}")
        object.__setattr__(self, "options", MappingProxyType(options))

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Callable[[str], TrainConfig], tuple[str]]:
        return TrainConfig.from_json, (self.to_json(),)

    @property
    def dataset_options(self) -> dict[str, Any]:
        return {option.name: self.options[option.name] for option in DATASETS[self.dataset].options}

    @property
    def family_options(self) -> dict[str, Any]:
        return {option.name: self.options[option.name] for option in FAMILIES[self.family].options}

    @property
    def set_id(self) -> str:
        """Names the set of runs that differ only in their seed."""
        told, values = self.to_dict(), self._values()
        for option in self.settings(self.dataset, self.family):
            if option.introduced_later and values[option.name] == option.default:
                del (told if option.name in told else told["options"])[option.name]
        return f"{self.dataset}-{self.family}-{json_digest(told)[:8]}"

    def run_id(self, seed: int) -> str:
        return f"{self.set_id}-s{seed}"

    @property
    def title(self) -> str:
        """The configuration in a line: the latent width, and whatever is not at its default."""
        given = self._values()
        usual = {option.name: option.default for option in self.settings(self.dataset, self.family)}
        usual |= {"epochs": DATASETS[self.dataset].default_epochs, "weight_decay": FAMILIES[self.family].weight_decay}
        usual |= {"latent_dim": None}  # the width is always told
        told = [f"{name.replace('_', ' ')} {_written(value)}" for name, value in given.items() if value != usual[name]]
        return ", ".join([f"{self.dataset} {self.family}", *told])

    def _values(self) -> dict[str, Any]:
        """Every setting, fields and options alike."""
        return {option.name: getattr(self, option.name) for option in TRAIN_OPTIONS} | dict(self.options)

    def to_dict(self) -> dict[str, Any]:
        fields = {option.name: getattr(self, option.name) for option in TRAIN_OPTIONS}
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()}
        return {"dataset": self.dataset, "family": self.family, **fields, "options": options}

    def to_json(self) -> str:
        return canonical_json(self.to_dict())

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrainConfig:
        known = {"dataset", "family", "options", *(option.name for option in TRAIN_OPTIONS)}
        extra = sorted(set(values) - known)
        if extra or not {"dataset", "family"} <= set(values):
            raise InvalidInput(
                f"A training configuration has the keys {', '.join(sorted(known))}; found {', '.join(sorted(values))}."
            )
        return cls(**values)

    @classmethod
    def from_json(cls, text: str) -> TrainConfig:
        return cls.from_dict(json.loads(text))

    @classmethod
    def settings(cls, dataset: str, family: str) -> tuple[Option, ...]:
        """Every setting that a configuration of this dataset and family takes, fields and options alike."""
        return (*TRAIN_OPTIONS, *DATASETS[dataset].options, *FAMILIES[family].options)

    @classmethod
    def from_settings(cls, dataset: str, family: str, given: Mapping[str, Any]) -> TrainConfig:
        """From one flat mapping, as ``--set`` and the form have it.

        A value that is text is read as the setting's type ("128,128" for widths).
        """
        by_name = {option.name: option for option in cls.settings(dataset, family)}
        for name in given:
            if name not in by_name:
                raise InvalidInput(unknown(f"setting of {dataset} with {family}", name, by_name))
        read = {name: by_name[name].parse(v) if isinstance(v, str) else v for name, v in given.items()}
        fields = {option.name for option in TRAIN_OPTIONS}
        return cls(
            dataset,
            family,
            **{name: value for name, value in read.items() if name in fields},
            options={name: value for name, value in read.items() if name not in fields},
        )


def _written(value: Any) -> str:
    return (
        "-".join(map(str, value))
        if isinstance(value, tuple)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )
