"""Formulas of docstrings, written in LaTeX, as they can stand in a terminal."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\[a-zA-Z]+ ?|\\.|.", re.DOTALL)
_SYMBOLS = {
    **{"langle": "<", "rangle": ">", "cdot": "·", "ge": ">=", "le": "<=", "ne": "!=", "theta": "θ", "epsilon": "ε"},
    **{"lceil": "ceil(", "rceil": ")", "lfloor": "floor(", "rfloor": ")", "dots": "...", "mid": "|", "top": "T"},
    **dict.fromkeys(("left", "right", "bigl", "bigr", "Bigl", "Bigr"), ""),
}
_BARE = ("mathrm", "mathcal", "mathbb", "text", "bar", "hat", "overline", "underline")
"""Commands of which only the argument is shown."""


def plain(text: str) -> str:
    r"""A docstring's line with its formulas as they can stand in a terminal.

    Examples
    --------
    >>> plain(r"Every halfspace $w\cdot x\ge\theta$ of $\mathcal{F}_{N,\epsilon}$.")
    'Every halfspace w·x>=θ of F_(N,ε).'
    >>> plain(r"At most $\frac34d^{3/2}\ln\frac{|Z|}\delta+\max\{1,\sqrt d\}$.")
    'At most 3/4 d^(3/2) ln |Z|/delta+max{1,sqrt(d)}.'
    """
    return re.sub(r"\$([^$]*)\$", lambda tex: _group(iter(_TOKEN.findall(tex[1]))), text)


def _group(tokens: Iterator[str]) -> str:
    """What is left of a group, or of the whole formula."""
    shown, after_word = "", False
    for token in tokens:
        if token == "}":
            break
        part = _atom(token, tokens)
        is_command = bool(re.match(r"\\[a-zA-Z]", token)) and part.isascii()
        is_word = is_command and part[:1].isalpha() and len(part) > 1
        if (is_word and re.search(r"[\w)]$", shown)) or (after_word and re.match(r"[a-zA-Z0-9|ε]", part)):
            shown += " "
        shown += part
        after_word = is_command and part[-1:].isalnum()
    return shown


def _atom(token: str, tokens: Iterator[str]) -> str:
    """One symbol, or one command with its arguments."""
    name = token[1:].rstrip() if token.startswith("\\") else ""
    if token == "{":
        return _group(tokens)
    if token in "^_":
        raised = _next(tokens)
        return token + (raised if re.fullmatch(r"\w+|\*|-?\d", raised) else f"({raised})")
    if name in ("frac", "tfrac", "dfrac"):
        above, below = _next(tokens), _next(tokens)
        return f"{_held(above)}/{_held(below)}"
    if name == "sqrt":
        under = _next(tokens)
        if under == "[":
            degree = "".join(iter(lambda: next(tokens, "]"), "]"))
            return f"root{degree}({_next(tokens)})"
        return f"sqrt({under})"
    if name in _BARE:
        return _next(tokens)
    if token in (r"\,", r"\;", r"\!"):
        return ""
    return _SYMBOLS.get(name, name) if name else token


def _next(tokens: Iterator[str]) -> str:
    token = next(tokens, "")
    while token == " ":
        token = next(tokens, "")
    return _atom(token, tokens) if token else ""


def _held(part: str) -> str:
    """A part of a fraction: in brackets unless it is one thing."""
    return part if re.fullmatch(r"[\w.]+|\|\w+\||\w+\([^()]*\)", part) else f"({part})"
