"""Sphinx settings: Markdown by MyST, formulas between dollars, a stock theme."""

project = "warmer"
author = "the authors of warmer"
extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1100px", "description": "What to ask next, and when the answer is proven."}
html_show_sourcelink = False
