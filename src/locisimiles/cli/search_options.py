"""Options of all commands that search."""

from __future__ import annotations

from typing import Annotated

import typer

from locisimiles import checks
from locisimiles.errors import ParameterError
from locisimiles.jobs.processes import physical_cores
from locisimiles.retrieve.methods import METHODS

__all__ = [
    "AdaptOption",
    "BudgetOption",
    "ClassifierOption",
    "DepthOption",
    "ExcludeOption",
    "ExplainOption",
    "GroupOption",
    "JobsOption",
    "KOption",
    "MethodOption",
    "ModelOption",
    "PrecisionOption",
    "PriorsOption",
    "QueryArgument",
    "SettingOption",
    "SourceArgument",
    "ThresholdOption",
    "VectorsOption",
    "changed_settings",
    "parse_share",
    "processes",
]

_JUDGING = "Judging and selecting candidates"


def parse_share(text: str) -> float:
    """Return a share between 0 and 1, which may be written in percent."""
    try:
        return checks.parse_share(text)
    except ParameterError as error:
        raise typer.BadParameter(str(error)) from error


def _complete_method(start: str) -> list[tuple[str, str]]:
    return [(m.name, m.description) for m in METHODS.values() if m.name.startswith(start)]


QueryArgument = Annotated[
    str,
    typer.Argument(
        metavar="QUERY",
        help="The later text: a file, folder, zip file, library text, or '-' for standard input.",
    ),
]
SourceArgument = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE...", help="The earlier texts, given in the same ways."),
]
KOption = Annotated[
    int | None,
    typer.Option(
        "-k",
        "--top",
        metavar="N",
        min=1,
        help="Maximum number of candidates per query segment; by default 10, or all judged "
        "candidates with --budget, --precision or --threshold.",
    ),
]
BudgetOption = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Keep the N most probable pairs.", rich_help_panel=_JUDGING
    ),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        parser=parse_share,
        metavar="SHARE",
        help="Keep as many pairs as possible with this share of references expected.",
        rich_help_panel=_JUDGING,
    ),
]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        parser=parse_share,
        metavar="SHARE",
        help="Keep pairs with at least this probability of a reference.",
        rich_help_panel=_JUDGING,
    ),
]
ClassifierOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The classifier: ensemble, cross-encoder, weights (.json), a model of your own, "
        "or none. By default the ensemble with the default method or with a selection, else "
        "none.",
        rich_help_panel=_JUDGING,
    ),
]
DepthOption = Annotated[
    int,
    typer.Option(
        min=1, help="Number of candidates to judge per segment.", rich_help_panel=_JUDGING
    ),
]
MethodOption = Annotated[
    str,
    typer.Option(
        help="The search method; 'locisimiles methods' lists them.",
        autocompletion=_complete_method,
    ),
]
PriorsOption = Annotated[
    bool,
    typer.Option(
        "--priors/--no-priors",
        help="Whether the default method and the ensemble favour authors and works that the "
        "query's author is known to cite.",
    ),
]
VectorsOption = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Word vectors for default, word2vec, fasttext and fusion."),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Another encoder: a folder for default and late; a folder or Hub name for dense "
        "and contextual.",
    ),
]
ExcludeOption = Annotated[
    list[str],
    typer.Option(
        metavar="same-work|same-author|later",
        help="Leave out pairs of the same work or author, or whose source is later than the "
        "query; repeatable.",
    ),
]
SettingOption = Annotated[
    list[str],
    typer.Option("--set", metavar="NAME=VALUE", help="Change a setting of the method; repeatable."),
]
AdaptOption = Annotated[
    bool,
    typer.Option(
        "--adapt/--no-adapt",
        help="Whether probabilities are adapted to how often the text refers, as estimated from "
        "it. Without, they are the classifier's own, as if it referred as often as the texts the "
        "classifier has learnt from.",
        rich_help_panel=_JUDGING,
    ),
]
GroupOption = Annotated[
    bool,
    typer.Option(
        "--group/--no-group",
        help="Whether sources with nearly the same words, such as verses of two Gospels, are "
        "grouped beneath the best of them, and counted once.",
    ),
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Add to the file why each pair may be a reference.")
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        metavar="N",
        help="Number of processes; by default one per core. Results do not depend on it.",
    ),
]


def processes(jobs: int | None) -> int:
    """Return how many processes to use: by default one per core."""
    return jobs or physical_cores()


def changed_settings(settings: list[str]) -> dict[str, str]:
    """Return the settings of ``--set`` by name, or raise a ParameterError."""
    return dict(map(_parse_setting, settings))


def _parse_setting(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals or not name.strip():
        raise ParameterError("cli.no_setting", setting=setting)
    return name.strip(), value.strip()
