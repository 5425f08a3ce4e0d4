"""``locisimiles train all``, ``compare`` and ``card``: every model, from raw texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import say, write_text
from locisimiles.cli.tables import print_table
from locisimiles.errors import InputError

__all__ = ["all_stages", "card", "compare"]

_DIFFERENT = 1
_SHORT = 12
RecipeOption = Annotated[
    Path | None,
    typer.Option(
        "--recipe", metavar="FILE.toml", help="The stages; by default those of the shipped models."
    ),
]
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


def all_stages(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="The folder of raw texts that the recipe names.")
    ],
    output: opt.FolderOption,
    stage: Annotated[
        list[str],
        typer.Option(
            "--stage", metavar="NAME", help="Run this stage only; repeatable. By default all."
        ),
    ] = [],  # noqa: B006 - typer copies it
    recipe: RecipeOption = None,
    install: Annotated[
        bool,
        typer.Option(
            "--install",
            help="Replace the models of this installation by those just made, so that later "
            "stages use them.",
        ),
    ] = False,
    cpu: Annotated[
        bool, typer.Option("--cpu", help="Run stages that need a GPU on the CPU, too.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what is done and what would run, and exit.")
    ] = False,
) -> None:
    """Make every model of the package from raw texts, stage by stage.

    The folder keeps a manifest: what each stage read, wrote and measured, with SHA-256, versions
    and time. The same command resumes; stages whose inputs have not changed are skipped. Needs the
    extra train: `pip install '.[train]'` in the checkout.

    Examples:

    - `locisimiles train all corpora -o run --dry-run`: what would run

    - `locisimiles train all corpora -o run --stage lemmatizer`: one stage

    - `locisimiles train all corpora -o run --install`: all, each stage with the models just made
    """
    from locisimiles.train.recipe import Recipe, RecipeRun
    from locisimiles.train.recipe.run import State

    stages = Recipe.read(recipe) if recipe else Recipe.shipped()
    chosen = [stages.stage(name) for name in stage] or list(stages.stages)
    run = RecipeRun(stages, data, output)
    if dry_run:
        rows = [
            (one.name, run.state(one).value, "GPU" if one.gpu else "CPU", " ".join(one.command[:2]))
            for one in chosen
        ]
        print_table(("stage", "state", "runs on", "command"), rows)
        return
    for one in chosen:
        if run.state(one) is State.DONE:
            say(f"{one.name}: done already")
        else:
            _check_device(one.name, needs_gpu=one.gpu and not cpu)
            say(f"{one.name}: locisimiles {' '.join(one.command[:2])}")
            if not run.run_stage(one):
                say(f"{one.name} is not finished; the same command resumes")
                raise typer.Exit(_DIFFERENT)
        for changed in run.install(one) if install else ():
            say(f"{one.name}: installed {changed}")
    say(f"wrote {output / 'manifest.json'}")


def compare(
    first: RunArgument,
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="Another run.")],
    recipe: RecipeOption = None,
) -> None:
    """Compare two runs: same bytes, or figures within the tolerance of the recipe.

    Exits with 1 if they do not agree.

    Examples:

    - `locisimiles train compare run other-run`
    """
    from locisimiles.train.recipe import Recipe, compare_runs

    rows = compare_runs(Recipe.read(recipe) if recipe else Recipe.shipped(), first, second)
    if not rows:
        raise InputError("train.no_run", file=str(first))
    print_table(
        ("stage", "what", first.name, second.name, "agrees"),
        [
            (row.stage, row.what, _short(row.first), _short(row.second), _yes(row.agrees))
            for row in rows
        ],
    )
    if not all(row.agrees for row in rows):
        raise typer.Exit(_DIFFERENT)


def card(run: RunArgument, recipe: RecipeOption = None) -> None:
    """Print how the models of a run were made, in Markdown, from its manifest.

    Examples:

    - `locisimiles train card run > HOW-MADE.md`
    """
    from locisimiles.train.recipe import Recipe, model_card

    write_text(model_card(Recipe.read(recipe) if recipe else Recipe.shipped(), run))


def _check_device(name: str, *, needs_gpu: bool) -> None:
    if not needs_gpu:
        return
    from locisimiles.models.loading import choose_device, require_torch

    require_torch()
    if choose_device("auto") != "cuda":
        raise InputError("train.stage_needs_gpu", name=name)


def _short(value: str | float | None) -> str:
    if value is None:
        return "-"
    return value[:_SHORT] if isinstance(value, str) else f"{value:g}"


def _yes(agrees: bool) -> str:
    return "yes" if agrees else "no"
