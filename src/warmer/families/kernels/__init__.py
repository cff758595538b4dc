"""Compiled loops of the families' fits: arrays in, arrays and numbers out."""
