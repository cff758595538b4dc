"""One module per command: it parses, calls and renders."""
