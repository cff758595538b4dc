"""The room `studies`."""
