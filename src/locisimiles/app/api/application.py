"""The application that answers under ``/api/v1``."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from locisimiles.app.api import judgements, learning, projects, results
from locisimiles.app.api.sharing import CONTEXT
from locisimiles.errors import (
    DatabaseError,
    LocisimilesError,
    MissingDependencyError,
    UnsafeInputError,
)

if TYPE_CHECKING:
    from locisimiles.app.context import AppContext

__all__ = ["make_api"]


def make_api(context: AppContext) -> FastAPI:
    """Return the application that answers under ``/api/v1``.

    Parameters
    ----------
    context
        What all parts of the app share.
    """
    api = FastAPI(
        title="locisimiles",
        description="Find, read, judge and export intertextual references in Latin literature.",
        version=version("locisimiles"),
        openapi_url="/openapi.json",
        docs_url=None,  # its page would come from the network
        redoc_url=None,
    )
    setattr(api.state, CONTEXT, context)
    for room in (projects, results, judgements, learning):
        api.include_router(room.router)
    api.add_exception_handler(LocisimilesError, _tell)
    api.add_exception_handler(Exception, _tell_nothing)
    return api


async def _tell(_: Request, error: Exception) -> JSONResponse:
    status = 400
    if isinstance(error, UnsafeInputError):
        status = 413
    elif isinstance(error, MissingDependencyError):
        status = 501
    elif isinstance(error, DatabaseError):
        status = 503
    return JSONResponse({"error": str(error)}, status)


async def _tell_nothing(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    # What it says may name files of the server.
    return JSONResponse({"error": "something unexpected happened"}, 500)
