"""Tune an encoder in several ways, and measure each, on a machine with little more than torch.

``python -m locisimiles.train.late.variants PLAN.toml DATA ENCODER OUT --seconds 500`` runs the
variants of a plan in turn until the time is up; the same command resumes. DATA holds kinds of pairs
(``pairs-NAME.npz``) and sets to measure (``search-NAME.npz``); ENCODER is that of a pretrained
encoder, or of one that was tuned before (``encoder.onnx`` in int8), to tune it further; its
vocabulary is not needed. OUT gets ``NAME.safetensors`` and a line of ``results.jsonl`` for each
variant, as soon as it is done.

A plan::

    [[variant]]
    name = "mined"
    start = "rules"                    # a variant before it, by default ENCODER; or several, whose
                                       # weights are averaged
    pairs = { rules = 0.7, fathers = 0.3 }  # none: it is only measured
    mined = 20_000                     # hard negatives of these many rule pairs, by the encoder
    settings = { steps = 400, rate = 2e-5 }
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from locisimiles.errors import LocisimilesError, MalformedInputError
from locisimiles.files.writing import make_folder
from locisimiles.models.onnx_encoder import GRAPH
from locisimiles.train.common.checkpoints import save_half
from locisimiles.train.common.files import reading, writing
from locisimiles.train.encoder.folder import CONFIG, read_config
from locisimiles.train.encoder.weights import (
    encoder_from_tensors,
    fill_module,
    load_pretrained,
    read_tensors,
)
from locisimiles.train.late.exact import ExactSearch, mine_negatives, recall
from locisimiles.train.late.network import LateEncoder
from locisimiles.train.late.pieces import TuningData
from locisimiles.train.late.recovery import network_config, recover_weights
from locisimiles.train.late.search_set import SearchSet
from locisimiles.train.late.tuning import TuneSettings, main_directions, tune_mixture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from locisimiles.progress import Progress

__all__ = ["Variant", "VariantRunner", "main", "read_plan"]

_RESULTS = "results.jsonl"
_HEAD = "head.weight"
_NOT_DONE = 3


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to tune.

    Attributes
    ----------
    name, start
        Its name, and the variants whose weights it starts with, averaged; none for the encoder.
    pairs
        The kinds of pairs and their shares of the steps; none if it is only measured.
    mined
        Of this many pairs of each kind, hard negatives are those that the encoder it starts with
        finds, instead of those of BM25; other pairs are left out. 0 for none.
    skipped
        The first so found are left out: they may be sources, too.
    layers, dimensions
        As in `locisimiles.train.late.project.LateProject.tune`.
    settings
        Of the training.
    """

    name: str
    pairs: Mapping[str, float] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    mined: int = 0
    skipped: int = 0
    layers: int = 10
    dimensions: int = 128
    settings: TuneSettings = field(default_factory=TuneSettings)


def read_plan(path: Path) -> list[Variant]:
    """Read the variants of a plan."""
    with reading(path):
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("variant", [])
    try:
        return [_variant(row) for row in rows]
    except TypeError as error:
        raise MalformedInputError("train.malformed", file=str(path), reason=str(error)) from error


def _variant(row: Mapping[str, Any]) -> Variant:
    start = row.get("start", ())
    return Variant(
        **{
            **row,
            "start": (start,) if isinstance(start, str) else tuple(start),
            "settings": TuneSettings(**row.get("settings", {})),
        }
    )


class VariantRunner:
    """Trains and measures variants in a folder."""

    def __init__(
        self,
        data: Path,
        encoder: Path,
        out: Path,
        *,
        device: str = "cpu",
        progress: Progress,
    ) -> None:
        self.data, self.encoder, self.out = data, encoder, out
        self.device, self.progress = device, progress
        self.tuned = (encoder / GRAPH).exists()
        config = network_config(encoder) if self.tuned else read_config(encoder / CONFIG)
        self.vocabulary = config.vocabulary
        self._pairs: dict[str, TuningData] = {}
        self._sets: dict[str, SearchSet] | None = None
        make_folder(out)

    def run(self, variant: Variant) -> dict[str, Any]:
        """Train a variant, write its weights, and return its figures."""
        begin = time.monotonic()
        model = self.model(variant)
        parts = [
            (self._mined(model, kind, variant) if variant.mined else self.pairs(kind), share)
            for kind, share in variant.pairs.items()
        ]
        if parts and not variant.start and not self.tuned:
            main_directions(model, parts[0][0], device=self.device, progress=self.progress)
        ready = time.monotonic()
        loss = 0.0
        if parts:
            loss = tune_mixture(
                model, parts, variant.settings, device=self.device, progress=self.progress
            )
        save_half(model, self.weights(variant.name))
        trained = time.monotonic()
        return {
            "name": variant.name,
            "variant": {**asdict(variant), "settings": asdict(variant.settings)},
            "loss": round(loss, 4),
            "figures": self.measure(model),
            "seconds": {
                "preparing": round(ready - begin, 1),
                "tuning": round(trained - ready, 1),
                "measuring": round(time.monotonic() - trained, 1),
            },
        }

    def model(self, variant: Variant) -> LateEncoder:
        """Return the network that a variant starts with."""
        torch.manual_seed(variant.settings.seed)
        if self.tuned:
            path, config = self.encoder / GRAPH, network_config(self.encoder)
            tensors = {
                name: torch.from_numpy(weight)
                for name, weight in recover_weights(self.encoder).items()
            }
            encoder = encoder_from_tensors(config, tensors, variant.layers, path=path)
            model = LateEncoder(encoder, variant.dimensions)
            fill_module(model, {**model.state_dict(), _HEAD: tensors[_HEAD]}, path)
        else:
            model = LateEncoder(load_pretrained(self.encoder, variant.layers), variant.dimensions)
        if variant.start:
            paths = [self.weights(name) for name in variant.start]
            fill_module(model, _mean([read_tensors(path) for path in paths]), paths[0])
        return model.to(self.device)

    def measure(self, model: LateEncoder) -> dict[str, dict[str, float]]:
        """Return the figures of a network on every set."""
        if self._sets is None:
            paths = sorted(self.data.glob("search-*.npz"))
            self._sets = {path.stem.removeprefix("search-"): SearchSet.load(path) for path in paths}
        return {
            name: recall(model, found, vocabulary=self.vocabulary, device=self.device)
            for name, found in self._sets.items()
        }

    def pairs(self, kind: str) -> TuningData:
        """Return the pairs of a kind."""
        if kind not in self._pairs:
            path = self.data / f"pairs-{kind}.npz"
            self._pairs[kind] = TuningData.load(path, self.vocabulary)
        return self._pairs[kind]

    def weights(self, name: str) -> Path:
        """Return the file with the weights of a variant."""
        return self.out / f"{name}.safetensors"

    def _mined(self, model: LateEncoder, kind: str, variant: Variant) -> TuningData:
        data = self.pairs(kind)
        if variant.mined < len(data.queries):
            data, _ = data.split(len(data.queries) - variant.mined)
        self.progress(f"mining {kind}", 0, len(data.queries))
        search = ExactSearch(model, data.sources, data.weights, device=self.device)
        negatives = mine_negatives(
            search, data.queries, data.answer, data.duplicates, skipped=variant.skipped
        )
        self.progress(f"mining {kind}", len(data.queries), len(data.queries))
        return replace(data, negatives=negatives)


def _mean(tensors: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of the weights of several networks."""
    return {
        name: sum((others[name] for others in tensors[1:]), tensor) / len(tensors)
        for name, tensor in tensors[0].items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 0 if all is done, 3 if the same command should go on.

    That is so if the time limit came first, or a variant failed.
    """
    parser = argparse.ArgumentParser(prog="python -m locisimiles.train.late.variants")
    for name in ("plan", "data", "encoder", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--seconds", type=float, default=500.0)
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args(arguments)
    start = time.monotonic()

    def progress(task: str, done: int, total: int) -> None:
        if done % 100 == 0 or done == total:
            sys.stdout.write(f"{time.monotonic() - start:7.1f} s  {task}: {done:,} of {total:,}\n")
            sys.stdout.flush()

    try:
        done = _run_plan(given, start, progress)
    except LocisimilesError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0 if done else _NOT_DONE


def _run_plan(given: argparse.Namespace, start: float, progress: Progress) -> bool:
    runner = VariantRunner(
        given.data, given.encoder, given.out, device=given.device, progress=progress
    )
    results = given.out / _RESULTS
    done = set()
    if results.exists():
        lines = results.read_text(encoding="utf-8").splitlines()
        done = {json.loads(line)["name"] for line in lines}
    longest, complete = 0.0, True
    for variant in read_plan(given.plan):
        if variant.name in done or (given.only and variant.name not in given.only):
            continue
        began = time.monotonic()
        if began - start + longest > given.seconds:
            return False
        try:
            row = runner.run(variant)
        except RuntimeError as error:  # out of memory, say: the next may fit
            progress(f"{variant.name} failed ({error})", 0, 0)
            complete = False
            continue
        longest = max(longest, time.monotonic() - began)
        with writing(results), results.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
        sys.stdout.write(f"{variant.name}: {json.dumps(row['figures'])} {row['seconds']}\n")
        sys.stdout.flush()
    return complete


if __name__ == "__main__":
    sys.exit(main())
