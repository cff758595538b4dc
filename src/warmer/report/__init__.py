"""The room `report`."""
