"""What several pages need: routes, the stores, the selection, caches and a few widgets."""
