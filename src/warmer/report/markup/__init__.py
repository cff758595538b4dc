"""What pages are made of: templates that escape, and figures in the colours of the page."""
