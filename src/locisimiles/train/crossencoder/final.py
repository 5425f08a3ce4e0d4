"""Export the cross-encoder that was trained on all references, as the package ships it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from locisimiles.train.common.files import complete_folder
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.held_out import ALL_REFERENCES, JOB
from locisimiles.train.crossencoder.job import CrossEncoderJob, weights_file
from locisimiles.train.encoder.folder import VOCABULARY
from locisimiles.train.encoder.weights import fill_module, read_tensors

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FINAL", "export_final"]

FINAL = "cross-encoder"
_LOG = "log.json"


def export_final(folder: Path, encoder: Path) -> float | None:
    """Write the network of a finished job that held out nothing; return its last known loss.

    `folder` is that of the job and its results, `encoder` the folder of the base encoder.
    """
    job = CrossEncoderJob.read(folder / JOB)
    network = job.base_network(folder / JOB)
    weights = weights_file(folder, ALL_REFERENCES)
    fill_module(network, read_tensors(weights), weights)
    log = json.loads((folder / _LOG).read_text(encoding="utf-8"))[weights.stem]
    settings = job.settings
    with complete_folder(folder / FINAL) as unfinished:
        export_cross_encoder(
            network,
            encoder / VOCABULARY,
            unfinished,
            trained={"steps": log["steps"], "settings": asdict(settings)},
            budget=settings.budget,
            matches=settings.matches,
        )
    return float(log["loss"][-1]) if log["loss"] else None
