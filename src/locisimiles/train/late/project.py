"""A folder in which late interaction is trained: encoder, synthetic pairs, checkpoints, result.

Everything that takes long is written as soon as it is done, so that an interrupted run resumes.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least, check_between
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.hashing import file_sha256
from locisimiles.files.json_files import read_json, write_json
from locisimiles.files.writing import make_folder
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import save_half
from locisimiles.train.common.files import keep_settings, writing
from locisimiles.train.encoder.folder import (
    CONFIG,
    VOCABULARY,
    WEIGHTS,
    read_config,
    read_tokenizer,
)
from locisimiles.train.encoder.weights import load_pretrained
from locisimiles.train.late.evaluation import RankingEvaluation, evaluate
from locisimiles.train.late.export import export_late
from locisimiles.train.late.network import LateEncoder, load_late
from locisimiles.train.late.pieces import TuningData
from locisimiles.train.late.preparation import make_rule_pairs, tuning_data, words_of
from locisimiles.train.late.tuning import TuneSettings, main_directions, tune

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.train.late.graph import Precision

__all__ = ["LateProject"]

_TUNED, _PAIRS, _CHECKPOINTS = "late.safetensors", "pairs.npz", "checkpoints"
_PAIR_SETTINGS, _TUNE_SETTINGS = "pairs.json", "tuning.json"
_FEWEST_PAIRS = 10
_HELD_OUT = 1000


class LateProject:
    """Trains late interaction in a folder, in as many runs as it takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._encoder = folder / "encoder"
        make_folder(self._encoder)

    def prepare(
        self,
        encoder: Path,
        sources: Document,
        contexts: Sequence[Path],
        *,
        synonyms: Path | None = None,
        pairs: int = 100_000,
        seed: int = 0,
        progress: Progress = silent,
    ) -> int:
        """Make synthetic pairs and find hard negatives, unless done; return the number of pairs.

        Parameters
        ----------
        encoder
            A folder that ``locisimiles train encoder`` exported: ``encoder.safetensors``,
            ``config.json`` and ``tokenizer.json``. It is copied.
        sources
            The texts that synthetic pairs allude to.
        contexts
            Text files with one sentence per line, to insert words into.
        synonyms
            A WordNet: a tab-separated table with columns synset, pos and lemma.
        pairs, seed
            Number of pairs, and the seed of all draws.

        Raises
        ------
        InputError
            If a file cannot be read, or the folder holds pairs made in another way.
        ParameterError
            If there are too few pairs, or no source has words to allude to.
        """
        check_at_least(_FEWEST_PAIRS, pairs=pairs)
        tokenizer = read_tokenizer(encoder)
        files = [encoder / name for name in (WEIGHTS, CONFIG, VOCABULARY)]
        settings = {
            "encoder": [_fingerprint(path) for path in files],
            "sources": sources.fingerprint(),
            "contexts": [_fingerprint(path) for path in contexts],
            "synonyms": _fingerprint(synonyms) if synonyms else None,
            "pairs": pairs,
            "seed": seed,
        }
        done = (self.folder / _PAIRS).exists()
        keep_settings(self.folder / _PAIR_SETTINGS, settings, started=done)
        if not done:
            for path in files:  # training may resume without its folder
                with writing(self._encoder / path.name):
                    shutil.copyfile(path, self._encoder / path.name)
            words = words_of(sources)
            made = make_rule_pairs(
                sources,
                words,
                contexts,
                synonyms=synonyms,
                pairs=pairs,
                seed=seed,
                progress=progress,
            )
            size = read_config(encoder / CONFIG).vocabulary
            tuning_data(tokenizer, size, words, made).save(self.folder / _PAIRS)
        return len(self._data().queries)

    def tune(
        self,
        layers: int = 10,
        dimensions: int = 128,
        settings: TuneSettings | None = None,
        *,
        device: str = "cpu",
        progress: Progress = silent,
    ) -> RankingEvaluation:
        """Train on all pairs but the last, and evaluate on those, unless done.

        ``late.safetensors`` then holds the encoder, ``config.json`` its sizes and figures.

        Parameters
        ----------
        layers, dimensions
            Layers of the pretrained encoder to keep, and length of the vectors to compare.
        settings
            How to train.

        Raises
        ------
        InputError, ParameterError
            If there are no pairs yet, the folder holds a run with different settings, or the
            encoder has fewer layers or shorter vectors.
        """
        settings = settings or TuneSettings()
        data = self._data()
        encoder = load_pretrained(self._encoder, layers)
        check_between(1, encoder.config.width, dimensions=dimensions)
        described = {"layers": layers, "dimensions": dimensions, "settings": asdict(settings)}
        done, checkpoints = (self.folder / name for name in (CONFIG, _CHECKPOINTS))
        started = done.exists() or checkpoints.exists()
        keep_settings(self.folder / _TUNE_SETTINGS, described, started=started)
        if done.exists():
            return self._trained()[1]
        train, test = data.split(min(_HELD_OUT, len(data.queries) // _FEWEST_PAIRS))
        model = LateEncoder(encoder, dimensions)
        main_directions(model, train, device=device, progress=progress)
        tune(model, train, settings, device=device, checkpoints=checkpoints, progress=progress)
        evaluation = evaluate(model, test, settings, device=device, progress=progress)
        save_half(model, self.folder / _TUNED)
        figures = {"dimensions": dimensions, "held_out": asdict(evaluation)}
        # Written last: without it nothing is trained.
        write_json(done, {**model.encoder.config.as_dict(), **figures})
        shutil.rmtree(checkpoints, ignore_errors=True)
        return evaluation

    def export(self, folder: Path, precision: Precision = "int8") -> None:
        """Write a model folder that runs without torch; ``--model`` takes it."""
        model = self.model()
        trained = {
            "pairs": read_json(self.folder / _PAIR_SETTINGS),
            "tuning": read_json(self.folder / _TUNE_SETTINGS),
            "held_out": asdict(self._trained()[1]),
        }
        export_late(model, self._encoder / VOCABULARY, folder, trained=trained, precision=precision)

    def model(self) -> LateEncoder:
        """Return the trained encoder; raise an InputError if nothing is trained yet."""
        if not (self.folder / CONFIG).exists():
            raise InputError("train.not_trained", file=str(self.folder))
        config = read_config(self.folder / CONFIG)
        return load_late(self.folder / _TUNED, config, self._trained()[0])

    def _data(self) -> TuningData:
        if not (self.folder / _PAIRS).exists():
            raise InputError("train.not_prepared", file=str(self.folder))
        size = read_config(self._encoder / CONFIG).vocabulary
        return TuningData.load(self.folder / _PAIRS, size)

    def _trained(self) -> tuple[int, RankingEvaluation]:
        """Return the length of the trained vectors, and their figures."""
        path = self.folder / CONFIG
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return int(content["dimensions"]), RankingEvaluation(**content["held_out"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MalformedInputError("train.no_result", file=str(path)) from error


def _fingerprint(path: Path) -> dict[str, str]:
    """Return the name and the fingerprint of a file, wherever it is."""
    return {"name": path.name, "sha256": file_sha256(path)}
