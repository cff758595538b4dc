"""Templates in which every value is escaped and none may be missing."""

import time
from functools import cache, partial
from urllib.parse import quote

import jinja2

from warmer.model.words import certainty, exact
from warmer.report.study_text import ago, when
from warmer.report.text import counted, short, shortened


@cache
def templates_of(*rooms: str) -> jinja2.Environment:
    """The templates of these rooms; where two have one of a name, the first room's counts.

    Examples
    --------
    >>> templates_of("warmer.report").from_string("{{ name }}: {{ 2 | counted('answer') }}").render(name="<b>")
    '&lt;b&gt;: 2 answers'
    """
    templates = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(room) for room in rooms]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {"quote": partial(quote, safe=""), "ago": lambda at: ago(at, time.time())}
    templates.filters |= {
        "certainty": certainty,
        "counted": counted,
        "exact": exact,
        "short": short,
        "shortened": shortened,
        "when": when,
    }
    return templates
