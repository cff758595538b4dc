"""The room `problems`."""
