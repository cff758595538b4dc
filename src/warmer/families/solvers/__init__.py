"""Optimisation problems that the fits of families come down to."""
