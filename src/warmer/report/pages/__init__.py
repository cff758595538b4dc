"""Whole pages about one thing."""
