"""The eluder dimension and its witness."""
