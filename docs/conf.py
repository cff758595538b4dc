"""Sphinx settings: Markdown by MyST, formulas as MathML so that pages need no network, a stock theme."""

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

project = "warmer"
author = "the authors of warmer"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "body_max_width": "none"}
html_static_path = ["_static"]
html_css_files = ["wrap.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False


def setup(app):
    """Let the converter that comes with docutils draw the formulas; one that it cannot read stops the build."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))


def _inline(writer, node):
    writer.body.append(tex2mathml(node.astext()))
    raise SkipNode


def _block(writer, node):
    writer.body.append(tex2mathml(node.astext(), as_block=True))
    raise SkipNode
