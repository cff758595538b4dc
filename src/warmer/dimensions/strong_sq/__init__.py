"""The strong SQ dimension and its witness."""
