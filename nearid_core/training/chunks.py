"""How many samples pass through a model at a time, outside of training."""

from __future__ import annotations

FEWEST, MOST = 256, 4096
_FEATURES = 1 << 20  # of all samples together; a convolution makes ten times as many out of them


def samples_at_once(features: int) -> int:
    """For samples of so many features."""
    return min(max(_FEATURES // features, FEWEST), MOST)
