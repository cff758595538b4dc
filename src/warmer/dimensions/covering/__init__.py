"""Covers, packings and the covering number."""
