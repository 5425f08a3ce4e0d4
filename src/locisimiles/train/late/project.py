"""A folder in which late interaction is trained: encoder, made pairs, checkpoints, result.

Everything that takes long is written as soon as it is done, so that a run that was cut off goes on
where it was.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import InputError, MalformedInputError, OutputError, ParameterError
from locisimiles.latin.units import text_units
from locisimiles.progress import silent
from locisimiles.train.encoder.vocabulary import read_vocabulary
from locisimiles.train.late.evaluation import MadePairEvaluation, evaluate
from locisimiles.train.late.export import export_late
from locisimiles.train.late.material import (
    common_words,
    number_doubles,
    read_contexts,
    read_senses,
    word_choices,
    wrong_sources,
)
from locisimiles.train.late.network import LateEncoder, load_late, load_pretrained, read_config
from locisimiles.train.late.pairs import make_pairs
from locisimiles.train.late.pieces import PieceTable, rarity
from locisimiles.train.late.tuning import TuneSettings, main_directions, tune
from locisimiles.train.late.tuning_data import TuningData
from locisimiles.train.plans import keep_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.train.late.graph import Precision

__all__ = ["LateProject"]

_WEIGHTS, _CONFIG, _VOCABULARY = "encoder.safetensors", "config.json", "tokenizer.json"
_TUNED, _DATA, _CHECKPOINTS = "late.safetensors", "pairs.npz", "checkpoints"
_DATA_PLAN, _TUNING_PLAN = "pairs.json", "tuning.json"
_FEWEST_PAIRS = 10
_HELD_OUT = 1000
_LONGEST_QUERY = 100  # pieces; sources are cut off earlier, where few of them are


class LateProject:
    """Trains late interaction in a folder, in as many runs as it takes.

    Parameters
    ----------
    folder
        Where everything is kept; it is made if it is not there.

    Raises
    ------
    OutputError
        If it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._encoder = folder / "encoder"
        try:
            self._encoder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error

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
        """Make pairs and look for wrong answers, if that was not done yet.

        Parameters
        ----------
        encoder
            What ``locisimiles train encoder`` exported: a folder with ``encoder.safetensors``,
            ``config.json`` and ``tokenizer.json``. It is copied.
        sources
            The texts that are alluded to.
        contexts
            Text files with a sentence a line, into which words are carried.
        synonyms
            A WordNet: a table between tabs with columns synset, pos and lemma.
        pairs, seed
            How many pairs are made, and by which chance.
        progress
            Called now and then.

        Returns
        -------
        int
            How many pairs there are.

        Raises
        ------
        InputError
            If a file cannot be read, or the folder was made for others.
        ParameterError
            If there are too few pairs, or nothing that could be alluded to.
        """
        if pairs < _FEWEST_PAIRS:
            raise ParameterError(f"{pairs} pairs teach nothing", hint="100,000 are usual")
        size = read_config(encoder / _CONFIG).vocabulary
        tokenizer = read_vocabulary(encoder / _VOCABULARY, size)
        files = [encoder / name for name in (_WEIGHTS, _CONFIG, _VOCABULARY)]
        plan = {
            "encoder": [_fingerprint(path) for path in files],
            "sources": sources.fingerprint(),
            "contexts": [_fingerprint(path) for path in contexts],
            "synonyms": _fingerprint(synonyms) if synonyms else None,
            "pairs": pairs,
            "seed": seed,
        }
        done = (self.folder / _DATA).exists()
        self._keep(_DATA_PLAN, plan, begun=done)
        if not done:
            self._copy(files)
            senses = read_senses(synonyms) if synonyms else None
            drawn = read_contexts(contexts, seed=seed, progress=progress)
            words = [[unit.text for unit in units] for units in text_units(sources.texts)]
            progress("making pairs", 0, pairs)
            choices = word_choices(words, senses)
            common = common_words(words, choices.lemma)
            made = make_pairs(words, drawn, choices, common, count=pairs, seed=seed)
            progress("making pairs", pairs, pairs)
            doubles = number_doubles(words)
            wrong = wrong_sources(made, sources, doubles, progress=progress)
            table = PieceTable.of_sentences(tokenizer, words)
            queries = [pair.words for pair in made]
            TuningData(
                table,
                PieceTable.of_sentences(tokenizer, queries, _LONGEST_QUERY),
                rarity(table, size),
                np.array([pair.source for pair in made], np.int32),
                wrong,
                doubles,
            ).save(self.folder / _DATA)
        return len(self._data().queries)

    def tune(
        self,
        layers: int = 10,
        dimensions: int = 128,
        settings: TuneSettings | None = None,
        *,
        device: str = "cpu",
        progress: Progress = silent,
    ) -> MadePairEvaluation:
        """Train on all pairs but the last, and judge by those; if that was not done yet.

        Parameters
        ----------
        layers
            How many layers of the pretrained encoder are kept.
        dimensions
            How long the vectors are that are compared.
        settings
            How it is trained.
        device
            ``cpu`` or ``cuda``.
        progress
            Called now and then.

        Returns
        -------
        MadePairEvaluation
            How well it does on pairs that it was not trained on. The encoder is written to
            ``late.safetensors``, its measures and how it was trained to ``config.json``.

        Raises
        ------
        InputError
            If nothing is prepared, or the training was begun with other settings.
        ParameterError
            If the encoder has not so many layers, or is not so wide.
        """
        settings = settings or TuneSettings()
        data = self._data()
        encoder = load_pretrained(self._encoder, layers)
        if not 1 <= dimensions <= encoder.config.width:
            raise ParameterError(
                f"dimensions={dimensions} cannot be had of vectors of {encoder.config.width}",
                hint=f"choose 1 to {encoder.config.width}",
            )
        plan = {"layers": layers, "dimensions": dimensions, "settings": settings.as_dict()}
        done, checkpoints = (self.folder / name for name in (_CONFIG, _CHECKPOINTS))
        self._keep(_TUNING_PLAN, plan, begun=done.exists() or checkpoints.exists())
        if done.exists():
            return self._trained()[1]
        train, test = data.split(min(_HELD_OUT, len(data.queries) // _FEWEST_PAIRS))
        model = LateEncoder(encoder, dimensions)
        main_directions(model, train, device=device, progress=progress)
        tune(model, train, settings, device=device, checkpoints=checkpoints, progress=progress)
        found = evaluate(model, test, settings, device=device, progress=progress)
        self._save(model, found)
        shutil.rmtree(checkpoints, ignore_errors=True)
        return found

    def export(self, folder: Path, precision: Precision = "int8") -> None:
        """Write a model folder that runs without torch; ``--model`` takes it.

        Parameters
        ----------
        folder
            Where it is written.
        precision
            ``int8`` to use, ``float32`` to compare with.

        Raises
        ------
        InputError
            If nothing is trained yet.
        OutputError
            If it cannot be written.
        """
        model = self.model()
        export_late(
            model,
            self._encoder / _VOCABULARY,
            folder,
            trained={
                "pairs": json.loads((self.folder / _DATA_PLAN).read_text(encoding="utf-8")),
                "tuning": json.loads((self.folder / _TUNING_PLAN).read_text(encoding="utf-8")),
                "held_out": asdict(self._trained()[1]),
            },
            precision=precision,
        )

    def model(self) -> LateEncoder:
        """Return what was trained.

        Raises
        ------
        InputError
            If nothing is trained yet.
        """
        if not (self.folder / _CONFIG).exists():
            raise InputError(
                "nothing is trained here yet", file=str(self.folder), hint="tune it first"
            )
        config = read_config(self.folder / _CONFIG)
        return load_late(self.folder / _TUNED, config, self._trained()[0])

    def _data(self) -> TuningData:
        if not (self.folder / _DATA).exists():
            raise InputError("there are no pairs yet", file=str(self.folder), hint="prepare them")
        size = read_config(self._encoder / _CONFIG).vocabulary
        return TuningData.load(self.folder / _DATA, size)

    def _keep(self, name: str, plan: Mapping[str, object], *, begun: bool) -> None:
        """Hold on to a plan; one of which nothing has been done yet may be changed."""
        if not begun:
            (self.folder / name).unlink(missing_ok=True)
        keep_plan(self.folder / name, plan)

    def _copy(self, files: Sequence[Path]) -> None:
        """Keep the encoder, in case that its folder is not there when training goes on."""
        for path in files:
            try:
                shutil.copyfile(path, self._encoder / path.name)
            except OSError as error:
                raise OutputError(
                    f"{self._encoder / path.name} cannot be written: {error.strerror or error}"
                ) from error

    def _save(self, model: LateEncoder, found: MadePairEvaluation) -> None:
        from safetensors.torch import save_file

        weights = {
            name: tensor.detach().half().cpu().contiguous()
            for name, tensor in model.state_dict().items()
        }
        content = {
            **model.encoder.config.as_dict(),
            "dimensions": model.dimensions,
            "held_out": asdict(found),
        }
        try:
            save_file(weights, self.folder / _TUNED)
            # Written last: without it nothing is trained.
            unfinished = self.folder / f"{_CONFIG}.new"
            unfinished.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
            unfinished.replace(self.folder / _CONFIG)
        except OSError as error:
            raise OutputError(
                f"{self.folder} cannot be written: {error.strerror or error}"
            ) from error

    def _trained(self) -> tuple[int, MadePairEvaluation]:
        """Return how long the vectors are that were trained, and how good they are."""
        path = self.folder / _CONFIG
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return int(content["dimensions"]), MadePairEvaluation(**content["held_out"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MalformedInputError(
                "this is not what was written at the end of a training",
                file=str(path),
                hint="remove the file, so that it is trained again",
            ) from error


def _fingerprint(path: Path) -> dict[str, str]:
    """Return what a file is called and what is in it, wherever it is."""
    try:
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256")
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    return {"name": path.name, "sha256": content.hexdigest()}
