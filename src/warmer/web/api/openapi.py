"""The interface described for machines: an OpenAPI document made from the operations themselves."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from warmer import __version__
from warmer.web.api.fields import KINDS, Field


class Operation(NamedTuple):
    """Something that can be done at an address."""

    method: str
    path: str
    """Behind `/api/v1`."""
    words: str
    fields: tuple[Field, ...] = ()
    status: int = 200
    """Of the answer where it is done."""
    is_file: bool = False
    """Whether the body is a file; then the fields stand in the address."""


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """The OpenAPI 3.1 document.

    Examples
    --------
    >>> paths = document([Operation("GET", "/studies/{study}", "Where it stands.")])["paths"]
    >>> paths["/studies/{study}"]["get"]["summary"]
    'Where it stands.'
    """
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = _described(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "warmer", "version": __version__, "description": "Studies: ask, do the experiment, tell."},
        "servers": [{"url": "/api/v1"}],
        "security": [{"key": []}],
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "paths": paths,
    }


def _described(operation: Operation) -> dict[str, Any]:
    named = [_parameter(name, "path", {"type": "string"}) for name in re.findall(r"{(\w+)}", operation.path)]
    form: dict[str, Any] = {"summary": operation.words, "responses": _responses(operation.status)}
    if operation.method == "GET" or operation.is_file:
        named += [
            {
                **_parameter(field.name, "query", KINDS[field.kind][1], is_required=field.is_required),
                "description": field.words,
            }
            for field in operation.fields
        ]
    if operation.is_file:
        form["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    elif operation.method != "GET":
        form["requestBody"] = {
            "required": bool(operation.fields),
            "content": {"application/json": {"schema": _schema(operation.fields)}},
        }
    return {**form, "parameters": named}


def _parameter(name: str, place: str, schema: dict[str, Any], *, is_required: bool = True) -> dict[str, Any]:
    return {"name": name, "in": place, "required": is_required, "schema": schema}


def _schema(fields: Iterable[Field]) -> dict[str, Any]:
    given = list(fields)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {field.name: {**KINDS[field.kind][1], "description": field.words} for field in given},
        "required": [field.name for field in given if field.is_required],
    }


def _responses(status: int) -> dict[str, Any]:
    refused = {"type": "object", "properties": {"error": {"type": "string"}}}
    return {
        str(status): {"description": "Done.", "content": {"application/json": {"schema": {"type": "object"}}}},
        "4XX": {
            "description": "Refused; nothing was recorded.",
            "content": {"application/json": {"schema": refused}},
        },
    }
