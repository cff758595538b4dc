"""What a person with a screen reader, a keyboard or weak eyes would stumble over, found in a page by JavaScript."""

from pathlib import Path

CHECKS = Path(__file__).with_name("accessibility.js").read_text()
"""An expression whose value is a list of complaints."""

WIDTHS = Path(__file__).with_name("widths.js").read_text()
"""How wide the page is, and what sticks out of it."""
