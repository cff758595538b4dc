"""Measurements, never assertions: ratios against peers and against the machine, in one run."""
