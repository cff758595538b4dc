"""Compiled parts of learners."""
