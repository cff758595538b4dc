"""The eluder dimension, its witness, and the independence of actions."""
