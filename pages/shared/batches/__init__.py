"""The parts of the Batches page, in the order in which they stand on it."""
