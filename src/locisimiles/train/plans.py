"""What a training was begun with, so that it is not gone on with by mistake as another one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, MalformedInputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["keep_plan"]


def keep_plan(path: Path, plan: Mapping[str, object]) -> None:
    """Write down what is planned, or make sure that it is what was planned before.

    Parameters
    ----------
    path
        A JSON file, in the folder of the training.
    plan
        What JSON can write.

    Raises
    ------
    InputError
        If the file has another plan.
    OutputError
        If it cannot be written.
    """
    wanted = json.dumps(dict(plan), indent=1, ensure_ascii=False)
    try:
        if not path.exists():
            path.write_text(f"{wanted}\n", encoding="utf-8", newline="\n")
            return
        written = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OutputError(f"{path} cannot be used: {error.strerror or error}") from error
    except ValueError as error:
        raise MalformedInputError(
            "this is no JSON file", file=str(path), hint="begin anew in another folder"
        ) from error
    planned = json.loads(wanted)
    if written != planned:
        known = written if isinstance(written, dict) else {}
        names = [name for name in planned if known.get(name) != planned[name]]
        raise InputError(
            f"this training was begun with other settings ({', '.join(names) or 'more of them'})",
            file=str(path),
            hint="use the same, or another folder",
        )
