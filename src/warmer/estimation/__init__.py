"""The room `estimation`."""
