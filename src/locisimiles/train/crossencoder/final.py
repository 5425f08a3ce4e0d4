"""Export the cross-encoder that was trained on all references, as the package ships it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from locisimiles.train.common.files import complete_folder
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.held_out import ALL_REFERENCES, JOB
from locisimiles.train.crossencoder.job import CrossEncoderJob, weights_file
from locisimiles.train.crossencoder.network import load_cross_encoder
from locisimiles.train.encoder.folder import VOCABULARY, EncoderConfig

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
    weights = weights_file(folder, ALL_REFERENCES)
    network = load_cross_encoder(weights, EncoderConfig(**job.network))
    log = json.loads((folder / _LOG).read_text(encoding="utf-8"))[weights.stem]
    # As trained: fewer layers than the job has may have been asked for.
    settings = replace(job.settings, layers=network.encoder.config.layers)
    with complete_folder(folder / FINAL) as unfinished:
        export_cross_encoder(
            network,
            encoder / VOCABULARY,
            unfinished,
            trained={
                "steps": log["steps"],
                "teachers": log.get("teachers", 0),
                "settings": asdict(settings),
            },
            budget=settings.budget,
            matches=settings.matches,
        )
    return float(log["loss"][-1]) if log["loss"] else None
