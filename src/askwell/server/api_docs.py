"""`/api/docs`: the OpenAPI document as a page of plain HTML, with nothing loaded from elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from askwell.server.pages.templating import page

if TYPE_CHECKING:
    from collections.abc import Iterator

router = APIRouter(include_in_schema=False)

_METHODS = ("get", "post", "put", "patch", "delete")


@router.get("/api/docs", response_class=HTMLResponse)
def docs(request: Request) -> HTMLResponse:
    """Return what can be asked of the server, and how."""
    document = request.app.openapi()
    return page(request, "api.html", page="api", title="The interface for programs", operations=list(_listed(document)))


def _listed(document: dict[str, Any]) -> Iterator[dict[str, object]]:  # Any: OpenAPI
    schemas = document.get("components", {}).get("schemas", {})
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method not in methods:
                continue
            what = methods[method]
            body = what.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            schema = schemas.get(str(body.get("$ref", "")).rpartition("/")[2], {})
            fields = [
                {"name": name, "about": field.get("description", ""), "needed": name in schema.get("required", ())}
                for name, field in schema.get("properties", {}).items()
            ]
            fields += [
                {"name": one["name"], "about": f"in the {one['in']}", "needed": one.get("required", False)}
                for one in what.get("parameters", ())
            ]
            examples = schema.get("examples", [])
            yield {
                "method": method.upper(),
                "path": path,
                "summary": what.get("summary", ""),
                "about": what.get("description", ""),
                "fields": fields,
                "example": json.dumps(examples[0], indent=2, ensure_ascii=False) if examples else "",
            }
