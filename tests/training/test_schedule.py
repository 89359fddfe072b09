"""Step sizes, orders of samples and weight decay follow their formulas."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nearid_core.training.optimizer import adam
from nearid_core.training.schedule import epoch_order, learning_rate


def test_the_learning_rate_warms_up_and_ends_at_two_percent() -> None:
    rates = np.array([learning_rate(step, 2000, peak=1.0) for step in range(2000)])
    assert rates[0] == pytest.approx(0.01)
    assert rates.argmax() == 99
    assert rates.max() > 0.99
    assert (np.diff(rates[99:]) < 0).all()
    assert rates[-1] == pytest.approx(0.02, abs=1e-4)


def test_every_epoch_sees_each_sample_once_in_an_order_of_its_own() -> None:
    orders = [epoch_order(seed, epoch, 50) for seed in (0, 1) for epoch in (0, 1)]
    assert all(sorted(order) == list(range(50)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4
    np.testing.assert_array_equal(epoch_order(1, 1, 50), orders[3])


def test_weights_decay_by_the_learning_rate_times_the_decay_and_biases_do_not() -> None:
    def after_one_step(decay: float) -> dict[str, torch.Tensor]:
        torch.manual_seed(0)
        flat = {"matrices": torch.randn(2, 12, requires_grad=True), "biases": torch.randn(2, 3, requires_grad=True)}
        optimizer = adam(flat, decay)
        for group in optimizer.param_groups:
            group["lr"] = 0.1
        sum(value.sum() for value in flat.values()).backward()  # type: ignore[union-attr]
        optimizer.step()
        return {name: value.detach() for name, value in flat.items()}

    torch.manual_seed(0)
    start = torch.randn(2, 12)
    plain, decayed = after_one_step(0.0), after_one_step(0.5)
    torch.testing.assert_close(plain["matrices"] - decayed["matrices"], 0.1 * 0.5 * start)
    assert torch.equal(plain["biases"], decayed["biases"])
