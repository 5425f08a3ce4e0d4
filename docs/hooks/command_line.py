"""The reference of the command line, written from the program itself."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import typer
from mkdocs.structure.files import File

from locisimiles.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_PAGE = "reference/command-line.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, _PAGE, content="\n".join(_page())))
    return files


def _page() -> Iterator[str]:
    yield "# Command line\n"
    yield "What `locisimiles COMMAND --help` says, on one page.\n"
    command = typer.main.get_command(app)
    context = command.make_context("locisimiles", [], resilient_parsing=True)
    yield from _options(context)
    yield from _commands(context, 2)


def _commands(parent: Any, level: int) -> Iterator[str]:
    group: Any = parent.command
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        context = command.context_class(command, info_name=name, parent=parent)
        yield f"{'#' * level} {context.command_path}\n"
        yield f"{inspect.cleandoc(command.help or '')}\n"
        if hasattr(command, "list_commands"):
            yield from _commands(context, level + 1)
            continue
        usage = " ".join(command.collect_usage_pieces(context))
        yield f"```\n{context.command_path} {usage}\n```\n"
        yield from _options(context)


def _options(context: Any) -> Iterator[str]:
    rows = list(filter(None, (_row(option, context) for option in context.command.params)))
    if rows:
        yield "| argument or option | |"
        yield "|---|---|"
        yield from rows
        yield ""


def _row(option: Any, context: Any) -> str | None:
    if getattr(option, "hidden", False):
        return None
    if option.param_type_name == "argument":
        return f"| `{_value(option)}` | {_cell(getattr(option, 'help', '') or '')} |"
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" `{_value(option)}`"
    default = option.get_default(context)
    shown = ""
    if default not in (None, False, True, (), []) and not callable(default):
        shown = f" Default: `{default}`."
    return f"| {names}{value} | {_cell(option.help or '')}{shown} |"


def _value(option: Any) -> str:
    if option.metavar:
        return str(option.metavar)
    annotation = option.type_descriptor.annotation
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    name = getattr(annotation, "__name__", "value")
    return "\\|".join(map(str, choices)) or {"int": "N", "float": "NUMBER"}.get(name, "VALUE")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
