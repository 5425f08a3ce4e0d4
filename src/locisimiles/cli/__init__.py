"""The command line: one module per command or group of commands, no logic of its own."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from locisimiles.cli.app import open_app
from locisimiles.cli.benchmark import benchmark
from locisimiles.cli.cache import cache
from locisimiles.cli.console import run_safely, write_line
from locisimiles.cli.demo import demo
from locisimiles.cli.explain import explain
from locisimiles.cli.export import export
from locisimiles.cli.index import index
from locisimiles.cli.job import job
from locisimiles.cli.latin import lemmatize, normalize
from locisimiles.cli.library import library
from locisimiles.cli.methods import methods
from locisimiles.cli.network import network
from locisimiles.cli.other_program import our_command
from locisimiles.cli.project import project
from locisimiles.cli.query import query
from locisimiles.cli.quiet import add_quiet
from locisimiles.cli.rerun import rerun
from locisimiles.cli.search import search
from locisimiles.cli.segment import segment
from locisimiles.cli.train import train
from locisimiles.errors import ParameterError
from locisimiles.installation import describe_program

__all__ = ["app", "main"]

app = typer.Typer(
    name="locisimiles",
    help="Find intertextual references in Latin literature.",
    epilog="Start with 'locisimiles demo', or 'locisimiles search --help' for examples.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("app")(open_app)
for _command in (
    search,
    explain,
    segment,
    export,
    rerun,
    query,
    network,
    methods,
    lemmatize,
    normalize,
    demo,
):
    app.command()(_command)
app.add_typer(library, name="library")
app.add_typer(cache, name="cache")
app.add_typer(index, name="index")
app.add_typer(job, name="job")
app.add_typer(project, name="project")
app.add_typer(benchmark, name="benchmark")
app.add_typer(train, name="train")
add_quiet(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        for line in describe_program().splitlines():
            write_line(line)
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Options of the program itself."""


def main() -> None:
    """Run the command line; exit with 0, 1 (an error) or 2 (wrong usage)."""
    sys.exit(run_safely(_run))


def _run() -> object:
    commands = list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    ours = our_command(sys.argv[1:], commands)
    if ours:
        raise ParameterError("cli.other_program", command=ours)
    return app(standalone_mode=False)
