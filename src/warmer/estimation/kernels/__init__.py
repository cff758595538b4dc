"""Compiled loops over targets: arrays in, arrays and numbers out."""
