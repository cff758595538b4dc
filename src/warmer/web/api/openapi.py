"""The interface described for machines: an OpenAPI document made from the verbs themselves."""

from collections.abc import Iterable
from typing import Any

from warmer import __version__
from warmer.web.api.fields import Field
from warmer.web.api.verbs import Verb

_KINDS: dict[str, dict[str, Any]] = {
    "number": {"type": "number"},
    "whole": {"type": "integer"},
    "text": {"type": "string"},
    "label": {"oneOf": [{"type": "string"}, {"type": "number"}, {"type": "object"}]},
    "list": {"type": "array", "items": {"type": "object"}},
    "texts": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
}


def document(verbs: Iterable[Verb]) -> dict[str, Any]:
    """The OpenAPI 3.1 document.

    Examples
    --------
    >>> from warmer.web.api.verbs import VERBS
    >>> "post" in document(VERBS)["paths"]["/studies/{study}/tell"]
    True
    """
    paths: dict[str, dict[str, Any]] = {
        "/studies": {"get": {"summary": "The studies of the database.", "responses": _responses()}}
    }
    for verb in verbs:
        paths.setdefault(f"/studies/{{study}}{verb.name}", {})[verb.method.lower()] = _operation(verb)
    return {
        "openapi": "3.1.0",
        "info": {"title": "warmer", "version": __version__, "description": "Studies: ask, do the experiment, tell."},
        "servers": [{"url": "/api/v1"}],
        "security": [{"key": []}],
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "paths": paths,
    }


def _operation(verb: Verb) -> dict[str, Any]:
    study = {"name": "study", "in": "path", "required": True, "schema": {"type": "string"}}
    form: dict[str, Any] = {"summary": verb.words, "parameters": [study], "responses": _responses()}
    if verb.method == "GET":
        form["parameters"] += [
            {"name": field.name, "in": "query", "schema": _KINDS[field.kind], "description": field.words}
            for field in verb.fields
        ]
    else:
        form["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(verb.fields)}}}
    return form


def _schema(fields: Iterable[Field]) -> dict[str, Any]:
    given = list(fields)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {field.name: {**_KINDS[field.kind], "description": field.words} for field in given},
        "required": [field.name for field in given if field.is_required],
    }


def _responses() -> dict[str, Any]:
    refused = {"type": "object", "properties": {"error": {"type": "string"}}}
    return {
        "200": {"description": "Done.", "content": {"application/json": {"schema": {"type": "object"}}}},
        "4XX": {
            "description": "Refused; nothing was recorded.",
            "content": {"application/json": {"schema": refused}},
        },
    }
