"""Measures that are values of finite games, bracketed by linear programs."""
