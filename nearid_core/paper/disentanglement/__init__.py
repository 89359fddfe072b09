"""Experiment 3: an autoencoder followed by linear ICA disentangles."""

from nearid_core.paper.disentanglement.experiment import E3, reproduce
from nearid_core.paper.disentanglement.recipe import Recipe, recipe

__all__ = ["E3", "Recipe", "recipe", "reproduce"]
