"""The verbs, one file each; importing a file registers its verb."""
