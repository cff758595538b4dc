"""Compiled search loops: arrays in, arrays out; they know nothing of our types."""
