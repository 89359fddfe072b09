"""How a configuration is executed: on what, and whether its seeds go side by side or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown

DEVICES = ("auto", "cpu", "cuda")

# Weights in one model up to which seeds are stacked. On a CPU the two ways cross between 170,000 and 350,000
# (benchmarks/training_plan.py: 1.2 times as fast at the first, 0.9 times at 600,000). For CUDA it is a guess.
STACKED_UP_TO = {"cpu": 200_000, "cuda": 4_000_000}
BATCH_MULTIPLE = 32  # samples; for other batches a seed's weights would depend on its company (training.stack)
# Weights in one stack, which with Adam's moments and the gradients takes 16 bytes each.
LARGEST_STACK = {"cpu": 2_000_000, "cuda": 200_000_000}


@dataclass(frozen=True)
class Plan:
    """What decides a seed's exact weights besides its configuration; kept in each run.

    execution : "stacked" (seeds side by side, along a leading axis) or "loop" (one after the other). It depends on the
        size of one model, the batch and the device, never on how many seeds there are: a seed trained alone has the
        same weights as among others.
    threads : of torch. One for stacks on a CPU, whose products are too small to share: beside other work the threads
        mostly wait for each other, and burn up to ten times the CPU time. Else as many as the caller has set.
    at_once : seeds in one stack, at most.
    precision : "bfloat16" where layers are computed in it while training (weights, Adam's moments and losses never
        are, nor is anything that is stored): for models that bear it, on CPUs with matrix units for it (AMX).
        Elsewhere it would be slower, or has not been measured.
    """

    execution: Literal["stacked", "loop"]
    device: str
    threads: int
    at_once: int
    torch: str
    precision: Literal["float32", "bfloat16"] = "float32"

    def groups(self, seeds: list[int], starts: Mapping[int, int]) -> list[list[int]]:
        """Seeds to train together; only those that stand at the same step can be."""
        groups = []
        for _, alike in groupby(sorted(seeds, key=lambda seed: (starts[seed], seed)), key=lambda seed: starts[seed]):
            together = list(alike)
            groups += [together[i : i + self.at_once] for i in range(0, len(together), self.at_once)]
        return groups

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Torch with the plan's threads; afterwards with as many as before."""
        import torch

        before = torch.get_num_threads()
        torch.set_num_threads(self.threads)
        try:
            yield
        finally:
            torch.set_num_threads(before)

    def autocast(self) -> AbstractContextManager[Any]:
        """Within it, layers are computed in the plan's precision."""
        import torch

        return torch.autocast(self.device, torch.bfloat16, enabled=self.precision == "bfloat16")

    def describe(self) -> dict[str, Any]:
        return asdict(self)


def choose_plan(weights: int, batch: int, device: str, *, stackable: bool = True, bears_bfloat16: bool = False) -> Plan:
    """The plan for models of so many weights on batches of so many samples.

    stackable, bears_bfloat16 : as in `Model`; what is not stackable is trained one after the other, however small.

    Raises InvalidInput for an unknown device, or for "cuda" where there is none.
    """
    import torch

    chosen = _device(device)
    stacked = stackable and weights <= STACKED_UP_TO[chosen] and batch % BATCH_MULTIPLE == 0
    return Plan(
        execution="stacked" if stacked else "loop",
        device=chosen,
        threads=1 if stacked and chosen == "cpu" else torch.get_num_threads(),
        at_once=max(1, LARGEST_STACK[chosen] // weights) if stacked else 1,
        torch=torch.__version__,
        precision="bfloat16" if bears_bfloat16 and chosen == "cpu" and multiplies_bfloat16() else "float32",
    )


def multiplies_bfloat16() -> bool:
    """Whether this CPU has matrix units for bfloat16 (AMX)."""
    import torch

    return bool(torch.cpu.get_capabilities().get("amx_bf16", False))


def _device(name: str) -> str:
    import torch

    if name not in DEVICES:
        raise InvalidInput(unknown("device", name, DEVICES))
    if name == "cuda" and not torch.cuda.is_available():
        raise InvalidInput("There is no CUDA device here, or torch was built without CUDA; use device='cpu' or 'auto'.")
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return name
