"""The paper's experiments: what was published, beside what comes out here, with what differs."""

from nearid_core.paper.batch_effects import E4
from nearid_core.paper.disentanglement import E3
from nearid_core.paper.experiment import EXPERIMENTS, Experiment, Reproduction

__all__ = ["E3", "E4", "EXPERIMENTS", "Experiment", "Reproduction"]
