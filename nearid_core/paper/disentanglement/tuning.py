"""Settings chosen and models trained, with everything kept in a store and a cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.paper.disentanglement.methods import METHODS, OURS, PIXELS, Method
from nearid_core.paper.disentanglement.reading import MERIT, QUANTITIES, nothing_read, scores_of_pixels, scores_of_run
from nearid_core.paper.disentanglement.recipe import DATA_SEED, TUNING_DATA_SEED, TUNING_SEED, Recipe, Setting
from nearid_core.progress import ProgressCallback
from nearid_core.results import ResultCache
from nearid_core.runs import Run, RunStore
from nearid_core.steps import Steps
from nearid_core.training import train

TAG = "paper-e3"
_TRAINING, _READING = 30, 4  # about how long one run of either takes against the other


@dataclass(frozen=True)
class Chosen:
    """setting : of a source. cpu_seconds : what training took that it was chosen by."""

    setting: Setting
    cpu_seconds: float


class Work:
    """One carrying out of a recipe.

    Tuning reads models of another draw of the data, so that nothing is chosen by what is reported.
    """

    def __init__(self, recipe: Recipe, store: RunStore, cache: ResultCache, on_progress: ProgressCallback) -> None:
        self.recipe, self.store, self.cache = recipe, store, cache
        self.steps = Steps(on_progress, dict(_stages(recipe)))

    def scores(self) -> pd.DataFrame:
        """One row a (law, method, seed, draw), as `scores_of_run` gives them, with ``setting`` and ``cpu_seconds``.

        cpu_seconds : of training all seeds of the method, and of tuning it.
        """
        chosen: dict[str, Chosen] = {}
        tables: list[pd.DataFrame] = []
        for law in self.recipe.laws:
            for source in self.recipe.sources(law):
                if source not in chosen:
                    chosen[source] = self.choose(source, law)
                spent = chosen[source].cpu_seconds if law == self.recipe.laws[0] else 0.0
                tables += self._of_source(source, law, chosen[source].setting, spent)
        return pd.concat(tables, ignore_index=True)

    def choose(self, source: str, law: str) -> Chosen:
        """The setting with the largest mean of InfoM and MCC: InfoM alone would choose collapse."""
        grid = self.recipe.grids[source]
        if len(grid) == 1:
            return Chosen(grid[0], 0.0)
        tried = [self._try(source, setting, law, place) for place, setting in enumerate(grid)]
        merits, seconds = zip(*tried, strict=True)
        if np.isnan(merits).all():
            raise InvalidInput(
                f"No setting of {source} could be trained on {self.recipe.dataset}; see its failed runs."
            )
        return Chosen(grid[int(np.nanargmax(merits))], sum(seconds))

    def _try(self, source: str, setting: Setting, law: str, place: int) -> tuple[float, float]:
        """Merit, nan where training failed, and CPU seconds."""
        runs, tell = [], self.steps.enter(_tuning(source, place))
        if source != PIXELS:
            runs = self._train(source, setting, law, TUNING_DATA_SEED, (TUNING_SEED,), tell)
        read = self._read(_judge(source), setting, law, TUNING_DATA_SEED, runs, MERIT)
        return merit(read), _cpu_seconds(runs)

    def _of_source(self, source: str, law: str, setting: Setting, seconds: float) -> Iterator[pd.DataFrame]:
        """seconds : of CPU that tuning took."""
        runs: list[Run] = []
        if source != PIXELS:
            tell = self.steps.enter(_seeds(source, law))
            runs = self._train(source, setting, law, DATA_SEED, self.recipe.seeds, tell)
            seconds += _cpu_seconds(runs)
        for method in METHODS:
            if method.source != source:
                continue
            self.steps.enter(_reading(method, law))
            read = self._read(method, setting, law, DATA_SEED, runs, QUANTITIES)
            told = ", ".join(f"{name} {value:g}" for name, value in setting.items())
            yield read.assign(law=law, method=method.name, setting=told, cpu_seconds=seconds)

    def _train(
        self, source: str, setting: Setting, law: str, data_seed: int, seeds: tuple[int, ...], tell: ProgressCallback
    ) -> list[Run]:
        """The runs that came to an end; the app finds them by their tag."""
        config = self.recipe.config(source, setting, law, data_seed)
        runs = train(config, seeds, self.store, layers=["latent"], on_progress=tell)
        for run in runs:
            if TAG not in run.tags:
                self.store.tag(run.id, *run.tags, TAG)
        return [run for run in runs if run.status == "done"]

    def _read(
        self, method: Method, setting: Setting, law: str, data_seed: int, runs: list[Run], quantities: Sequence[str]
    ) -> pd.DataFrame:
        if method.source == PIXELS:
            data = self.recipe.data(law, data_seed)
            scores = scores_of_pixels(self.recipe.dataset, data, setting["components"], method, quantities, self.cache)
            return scores.assign(seed=0)
        read = [scores_of_run(run, method, quantities, self.cache).assign(seed=run.seed) for run in runs]
        return pd.concat(read, ignore_index=True) if read else nothing_read()


def merit(scores: pd.DataFrame) -> float:
    """What a setting is chosen by; nan where nothing was trained, or one latent is all there is."""
    return float(scores[list(MERIT)].mean(axis=1, skipna=False).mean())


def _judge(source: str) -> Method:
    """The method by which a source is tuned: for the autoencoder AE + ICA, which is what the paper proposes."""
    return OURS if source == OURS.source else next(method for method in METHODS if method.source == source)


def _cpu_seconds(runs: list[Run]) -> float:
    return float(sum(run.record.get("cpu_seconds", 0.0) for run in runs))


def _stages(recipe: Recipe) -> Iterator[tuple[str, int]]:
    """Every stage that there can be, with its weight, in the order they come."""
    for law in recipe.laws:
        for source in recipe.sources(law):
            trains = source != PIXELS
            if law == recipe.laws[0] and recipe.n_settings > 1:
                yield from (
                    (_tuning(source, place), _TRAINING if trains else _READING) for place in range(recipe.n_settings)
                )
            if trains:
                yield _seeds(source, law), _TRAINING * len(recipe.seeds)
            methods = [method for method in METHODS if method.source == source]
            yield from ((_reading(method, law), _READING * len(recipe.seeds)) for method in methods)


def _tuning(source: str, place: int) -> str:
    return f"{source}: setting {place + 1}"


def _seeds(source: str, law: str) -> str:
    return f"{source}, {law} factors"


def _reading(method: Method, law: str) -> str:
    return f"scores of {method.title}, {law} factors"
