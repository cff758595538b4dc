"""Sequences of vectors for classes that have no table."""
