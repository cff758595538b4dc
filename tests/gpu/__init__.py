"""Runs on a GPU against those of the CPU; needs NumPy and CuPy alone."""
