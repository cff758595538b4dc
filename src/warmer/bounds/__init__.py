"""The room `bounds`."""
