"""Save weights, and the state of a training that can resume after an interruption.

A checkpoint is a folder with the weights and the optimizer's state (safetensors) and the log
(JSON). It gets its name when it is complete. The two newest are kept, in case the newest did not
reach the disk.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from locisimiles.train.common.files import complete_folder, writing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["load_newest_checkpoint", "save_checkpoint", "save_half"]

_PREFIX = "step-"
_KEPT = 2
_WEIGHTS, _OPTIMIZER, _LOG = "model.safetensors", "optimizer.safetensors", "log.json"


def save_half(model: Any, path: Path) -> None:  # noqa: ANN401 - a torch module
    """Write the weights of a network in half precision, completely or not at all."""
    from safetensors.torch import save_file

    unfinished = path.with_name(f".{path.name}")
    tensors = {
        name: tensor.detach().half().cpu().contiguous()
        for name, tensor in model.state_dict().items()
    }
    with writing(path):
        save_file(tensors, unfinished)
        unfinished.replace(path)


def save_checkpoint(
    folder: Path,
    step: int,
    model: Any,  # noqa: ANN401 - a torch module
    optimizer: Any,  # noqa: ANN401 - a torch optimizer
    log: Mapping[str, object],
) -> None:
    """Write a checkpoint; remove all older ones but the last."""
    from safetensors.torch import save_file, save_model

    state = {
        f"{row}.{name}": value.contiguous()
        for row, entry in optimizer.state_dict()["state"].items()
        for name, value in entry.items()
    }
    with complete_folder(folder / f"{_PREFIX}{step:08d}") as place:
        save_model(model, str(place / _WEIGHTS))
        save_file(state, place / _OPTIMIZER)
        (place / _LOG).write_text(json.dumps(dict(log)), encoding="utf-8")
    for old in _checkpoints(folder)[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def load_newest_checkpoint(
    folder: Path | None,
    model: Any,  # noqa: ANN401 - a torch module
    optimizer: Any,  # noqa: ANN401 - a torch optimizer
) -> tuple[int, dict[str, Any]]:
    """Restore model and optimizer from the newest checkpoint that can be read.

    Return the number of steps done and the log until then; without a checkpoint 0 and an empty log.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file, load_model

    for place in [] if folder is None else _checkpoints(folder):
        try:
            log = json.loads((place / _LOG).read_text(encoding="utf-8"))
            tensors = load_file(place / _OPTIMIZER)
            load_model(model, str(place / _WEIGHTS), device=str(model.device))
        except (OSError, ValueError, RuntimeError, SafetensorError):
            continue
        state: dict[int, dict[str, Any]] = {}
        for key, value in tensors.items():
            row, _, name = key.partition(".")
            state.setdefault(int(row), {})[name] = value
        optimizer.load_state_dict(
            {"state": state, "param_groups": optimizer.state_dict()["param_groups"]}
        )
        return int(place.name.removeprefix(_PREFIX)), log
    return 0, {}


def _checkpoints(folder: Path) -> list[Path]:
    """Return the complete checkpoints, the newest first."""
    return sorted(folder.glob(f"{_PREFIX}*"), reverse=True)
