"""Give every command ``--quiet``."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from locisimiles.cli.console import be_quiet

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["add_quiet"]

_Quiet = Annotated[
    bool, typer.Option("--quiet", help="Write no messages or progress, only results and errors.")
]


def add_quiet(app: typer.Typer) -> None:
    """Give the commands of a program, and of its groups, an option ``--quiet``."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _quieter(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_quiet(group.typer_instance)


def _quieter(command: Callable[..., Any]) -> Callable[..., Any]:
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    parameters = [one.replace(annotation=hints[name]) for name, one in signature.parameters.items()]
    quiet = inspect.Parameter(
        "quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_Quiet
    )

    @wraps(command)
    def run(*arguments: object, quiet: bool = False, **options: object) -> object:
        be_quiet(wanted=quiet)
        try:
            return command(*arguments, **options)
        finally:
            be_quiet(wanted=False)

    run.__annotations__ = {**hints, "quiet": _Quiet}
    run.__dict__["__signature__"] = signature.replace(parameters=[*parameters, quiet])
    return run
