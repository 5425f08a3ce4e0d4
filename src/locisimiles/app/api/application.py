"""The application that answers under ``/api/v1``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from locisimiles.app.api import judgements, learning, library, projects, results, searches, words
from locisimiles.app.api.dependencies import CONTEXT
from locisimiles.errors import (
    DatabaseError,
    LocisimilesError,
    MissingDependencyError,
    UnsafeInputError,
)
from locisimiles.installation import VERSION
from locisimiles.messages import Message

if TYPE_CHECKING:
    from locisimiles.app.context import AppContext

__all__ = ["make_api"]

_STATUSES = {UnsafeInputError: 413, MissingDependencyError: 501, DatabaseError: 503}


def make_api(context: AppContext) -> FastAPI:
    """Return the application that answers under ``/api/v1``."""
    api = FastAPI(
        title="locisimiles",
        description="Find, read, judge and export intertextual references in Latin literature.",
        version=VERSION,
        openapi_url="/openapi.json",
        docs_url=None,  # its page would load scripts from the network
        redoc_url=None,
    )
    setattr(api.state, CONTEXT, context)
    for module in (projects, library, searches, results, judgements, learning, words):
        api.include_router(module.router)
    api.add_exception_handler(LocisimilesError, _our_error)
    api.add_exception_handler(RequestValidationError, _wrong_request)
    api.add_exception_handler(UnicodeEncodeError, _half_character)
    api.add_exception_handler(Exception, _other_error)
    return api


async def _our_error(_: Request, error: Exception) -> JSONResponse:
    status = next((code for kind, code in _STATUSES.items() if isinstance(error, kind)), 400)
    return JSONResponse({"error": str(error)}, status)


async def _wrong_request(_: Request, error: Exception) -> Response:
    # Without the values, which may be long; in ASCII, since names may hold half a character.
    wrong = error.errors() if isinstance(error, RequestValidationError) else []
    detail = [{name: one[name] for name in ("type", "loc", "msg")} for one in wrong]
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


async def _half_character(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    return JSONResponse({"error": str(Message("app.half_character"))}, 400)


async def _other_error(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    # Its words may name files of the server.
    return JSONResponse({"error": str(Message("app.unexpected"))}, 500)
