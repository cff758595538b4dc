"""The room `analysis`."""
