"""Keep how far a training is, so that it can be cut off at any moment.

A checkpoint is a folder with the weights and the optimiser's state (safetensors) and what was
logged (JSON). It gets its name when it is complete; the two newest are kept, in case the newest
was on its way to the disk when the power went.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from locisimiles.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["load_newest_checkpoint", "save_checkpoint"]

_PREFIX = "step-"
_KEPT = 2
_WEIGHTS, _OPTIMISER, _LOG = "model.safetensors", "optimiser.safetensors", "log.json"


def save_checkpoint(
    folder: Path,
    step: int,
    model: Any,  # noqa: ANN401 - a torch module
    optimiser: Any,  # noqa: ANN401 - a torch optimiser
    log: Mapping[str, object],
) -> None:
    """Write a checkpoint, and remove those that are older than the one before it.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    from safetensors.torch import save_file, save_model

    unfinished = folder / f".{_PREFIX}{step:08d}"
    finished = folder / f"{_PREFIX}{step:08d}"
    try:
        for place in (unfinished, finished):
            shutil.rmtree(place, ignore_errors=True)
        unfinished.mkdir(parents=True)
        save_model(model, str(unfinished / _WEIGHTS))
        save_file(
            {
                f"{row}.{name}": value.contiguous()
                for row, entry in optimiser.state_dict()["state"].items()
                for name, value in entry.items()
            },
            str(unfinished / _OPTIMISER),
        )
        (unfinished / _LOG).write_text(json.dumps(dict(log)), encoding="utf-8")
        unfinished.rename(finished)
    except OSError as error:
        raise OutputError(f"{finished} cannot be written: {error.strerror or error}") from error
    for old in _checkpoints(folder)[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def load_newest_checkpoint(
    folder: Path,
    model: Any,  # noqa: ANN401 - a torch module
    optimiser: Any,  # noqa: ANN401 - a torch optimiser
) -> tuple[int, dict[str, Any]]:
    """Put model and optimiser into the state of the newest checkpoint that can be read.

    Returns
    -------
    tuple
        After how many steps that was, and what was logged until then; 0 and nothing if there is
        no checkpoint.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file, load_model

    for place in _checkpoints(folder):
        try:
            log = json.loads((place / _LOG).read_text(encoding="utf-8"))
            tensors = load_file(str(place / _OPTIMISER))
            load_model(model, str(place / _WEIGHTS), device=str(model.device))
        except (OSError, ValueError, RuntimeError, SafetensorError):
            continue
        state: dict[int, dict[str, Any]] = {}
        for key, value in tensors.items():
            row, _, name = key.partition(".")
            state.setdefault(int(row), {})[name] = value
        optimiser.load_state_dict(
            {"state": state, "param_groups": optimiser.state_dict()["param_groups"]}
        )
        return int(place.name.removeprefix(_PREFIX)), log
    return 0, {}


def _checkpoints(folder: Path) -> list[Path]:
    """Return the complete checkpoints, the newest first."""
    return sorted(folder.glob(f"{_PREFIX}*"), reverse=True)
