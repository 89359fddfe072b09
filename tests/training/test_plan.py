"""Side by side or one after the other is decided by the model's size, not by who else trains."""

from __future__ import annotations

import pytest
import torch

from nearid_core.training import plan as plan_module
from nearid_core.training.plan import STACKED_UP_TO, choose_plan


def test_small_models_are_stacked_on_one_thread_and_large_ones_are_not() -> None:
    small, large = (choose_plan(STACKED_UP_TO["cpu"] + extra, 128, "cpu") for extra in (0, 1))
    assert (small.execution, small.threads) == ("stacked", 1)
    assert (large.execution, large.threads, large.at_once) == ("loop", torch.get_num_threads(), 1)


def test_a_batch_that_vector_registers_do_not_divide_is_not_stacked() -> None:
    assert [choose_plan(1000, batch, "cpu").execution for batch in (32, 50, 96)] == ["stacked", "loop", "stacked"]


def test_only_seeds_that_stand_at_one_step_share_a_stack() -> None:
    plan = choose_plan(1000, 32, "cpu")
    assert plan.groups([0, 1, 2, 3], {0: 0, 1: 50, 2: 0, 3: 50}) == [[0, 2], [1, 3]]


def test_a_stack_is_no_larger_than_memory_allows() -> None:
    plan = choose_plan(STACKED_UP_TO["cpu"], 32, "cpu")
    groups = plan.groups(list(range(25)), dict.fromkeys(range(25), 0))
    assert [len(group) for group in groups] == [10, 10, 5]


def test_threads_come_back_after_an_error() -> None:
    before = torch.get_num_threads()

    def stop_within_the_plan() -> None:
        with choose_plan(1000, 32, "cpu").in_force():
            assert torch.get_num_threads() == 1
            raise KeyError

    with pytest.raises(KeyError):
        stop_within_the_plan()
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("there", [False, True])
def test_layers_are_computed_in_bfloat16_only_by_models_that_bear_it_on_cpus_made_for_it(
    monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr(plan_module, "multiplies_bfloat16", lambda: there)
    bears, does_not = (choose_plan(1000, 32, "cpu", stackable=False, bears_bfloat16=one) for one in (True, False))
    assert (bears.precision == "bfloat16") == there
    assert does_not.precision == "float32"
    assert bears.execution == "loop"
    with bears.autocast():
        product = torch.ones(2, 2) @ torch.ones(2, 2)
    assert (product.dtype == torch.bfloat16) == there


def test_a_model_that_is_not_stackable_is_not_stacked_however_small() -> None:
    assert choose_plan(10, 32, "cpu", stackable=False).execution == "loop"
