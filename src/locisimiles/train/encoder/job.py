"""Pretrain an encoder on a machine with little more than torch, from prepared word pieces.

``python -m locisimiles.train.encoder.job PIECES... -o OUT --minutes 8`` joins the files of pieces
that ``locisimiles train encoder --only-prepare`` wrote, chooses as many steps as fit into the
time, and writes ``OUT/encoder``: ``encoder.safetensors`` in half precision and ``config.json``.
``OUT/log.json`` has settings and figures; with ``--steps`` as it tells, another run does the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.errors import LocisimilesError
from locisimiles.files.json_files import write_json
from locisimiles.files.writing import make_folder
from locisimiles.train.encoder.folder import EncoderConfig
from locisimiles.train.encoder.piece_files import read_piece_files
from locisimiles.train.encoder.pretraining import Pretraining, PretrainSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.progress import Progress

__all__ = ["main"]

_ENCODER, _LOG, _CHECKPOINTS = "encoder", "log.json", "checkpoints"
_RESERVE = 15.0  # seconds for saving and evaluating


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m locisimiles.train.encoder.job")
    parser.add_argument("pieces", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--steps", type=int, help="by default as many as fit into the time")
    parser.add_argument("--batch-size", type=int, default=768)
    parser.add_argument("--vocabulary", type=int, default=24_000)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--heads", type=int, default=6)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--warm-up", type=int, default=800)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    start = time.monotonic()

    def progress(task: str, done: int, total: int) -> None:
        sys.stdout.write(f"{time.monotonic() - start:7.1f} s  {task}: {done:,} of {total:,}\n")
        sys.stdout.flush()

    try:
        _pretrain(given, start, progress)
    except LocisimilesError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _pretrain(given: argparse.Namespace, start: float, progress: Progress) -> None:
    end = start + 60 * given.minutes - _RESERVE
    pieces = read_piece_files(given.pieces)
    config = EncoderConfig(
        vocabulary=given.vocabulary,
        width=given.width,
        layers=given.layers,
        heads=given.heads,
        inner=given.width * 8 // 3,
    )
    settings = PretrainSettings(
        steps=given.steps or 1_000_000,  # until it is known how many fit
        batch=given.batch_size,
        length=given.length,
        warm_up=given.warm_up,
        seed=given.seed,
    )
    progress("preparing", len(pieces), len(pieces))
    training = Pretraining(pieces, config, settings)
    if given.steps is None:
        steps = training.fit_steps(end - time.monotonic())
        progress("steps that fit", training.step, steps)
    training.run(end - time.monotonic(), progress=progress)
    make_folder(given.output)
    training.export(given.output / _ENCODER)
    if training.step < training.settings.steps:
        training.save(given.output / _CHECKPOINTS)
    found = training.evaluate()
    log = {
        "config": config.as_dict(),
        "settings": asdict(training.settings),
        "pieces": len(pieces),
        "steps": training.step,
        "loss": found.loss,
        "accuracy": found.accuracy,
        "seconds": round(time.monotonic() - start, 1),
    }
    write_json(given.output / _LOG, log)
    sys.stdout.write(json.dumps(log) + "\n")


if __name__ == "__main__":
    sys.exit(main())
