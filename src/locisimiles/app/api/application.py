"""The application that answers under ``/api/v1``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
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
    api.add_exception_handler(Exception, _other_error)
    return api


async def _our_error(_: Request, error: Exception) -> JSONResponse:
    status = next((code for kind, code in _STATUSES.items() if isinstance(error, kind)), 400)
    return JSONResponse({"error": str(error)}, status)


async def _other_error(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    # Its words may name files of the server.
    return JSONResponse({"error": str(Message("app.unexpected"))}, 500)
