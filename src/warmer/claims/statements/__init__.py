"""The statements of the paper, one module for each part of it."""
