"""The room `environments`."""
