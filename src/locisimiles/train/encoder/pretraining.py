"""Pretrain the encoder: mask word pieces and learn to guess them.

Training is cut into runs that may be short (a borrowed machine, a laptop overnight). The clock
decides where a run ends; the learning rate depends on the step alone. So several runs do the same
as one long run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from locisimiles.files.json_files import write_json
from locisimiles.files.writing import make_folder
from locisimiles.models.loading import choose_device
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint, save_half
from locisimiles.train.common.optimization import decay_groups, half_precision, rate_share
from locisimiles.train.encoder.folder import CONFIG, MASK, SPECIAL, START, WEIGHTS
from locisimiles.train.encoder.network import EncoderConfig, MaskedLanguageModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.progress import Progress

__all__ = ["Evaluation", "PretrainSettings", "Pretraining"]

_MASKED, _CHANGED = 0.8, 0.9
_IGNORED = -100
_SHARE_USED = 0.98  # of the time, as no two steps take equally long
_TIMED_FROM, _TIMED_TO = 20, 100  # steps that tell how many fit
_MANY = 200_000
_HELD_OUT = 2_000
_TEST_BATCH = 500
_TEST_MASKED = 0.15
_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True)
class PretrainSettings:
    """How to pretrain.

    Attributes
    ----------
    steps, batch, length
        Number of steps over all runs, sequences per step, and pieces per sequence.
    rate, warm_up
        The highest learning rate, and the step at which it is reached; it then falls to 0 linearly.
    masked, decay
        The share of pieces that is masked, and the weight decay.
    seed
        For initial weights, sequences and masks.
    """

    steps: int = 20_000
    batch: int = 768
    length: int = 128
    rate: float = 1e-3
    warm_up: int = 1000
    masked: float = 0.3
    decay: float = 0.05
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well masked pieces of held-out text are guessed (15 % masked)."""

    loss: float
    accuracy: float


class Pretraining:
    """A pretraining that can be interrupted and resumed.

    `pieces` are the corpus, as `encode_lines` returns it; its last part is held out. It runs on a
    GPU if there is one.
    """

    def __init__(
        self, pieces: NDArray[np.uint16], config: EncoderConfig, settings: PretrainSettings
    ) -> None:
        self.config, self.settings = config, settings
        self.device = choose_device("auto")
        torch.manual_seed(settings.seed)
        self.model = MaskedLanguageModel(config).to(self.device)
        self.step = 0
        sequences = _sequences(pieces, settings).to(self.device)
        held_out = max(len(sequences) // 100, 1) if len(sequences) < _MANY else _HELD_OUT
        self._train, self._test = sequences[:-held_out], sequences[-held_out:]
        on_gpu = self.device == "cuda"
        self._optimizer = torch.optim.AdamW(
            decay_groups(self.model.parameters(), settings.decay),
            lr=settings.rate,
            betas=(0.9, 0.98),
            eps=1e-6,
            fused=on_gpu,
        )
        guess = self._guess_loss
        self._loss: Callable[[Tensor, Tensor, Tensor], Tensor]
        self._loss = torch.compile(guess) if on_gpu else guess

    def fit_steps(self, seconds: float, *, least: int = _TIMED_TO + 1) -> int:
        """Choose the number of steps that fit into a time, by the first hundred; return it.

        Nothing is lost: these steps are part of the training, whose rate still rises.
        """
        end = time.monotonic() + seconds
        self.settings = replace(self.settings, warm_up=max(self.settings.warm_up, _TIMED_TO))
        self.model.train()
        begin = 0.0
        while self.step < _TIMED_TO:
            if self.step == _TIMED_FROM:
                begin = self._finished()
            self._learn()
            self.step += 1
        each = (self._finished() - begin) / (_TIMED_TO - _TIMED_FROM)
        steps = max(self.step + int(_SHARE_USED * (end - time.monotonic()) / each), least)
        warm_up = min(self.settings.warm_up, steps)
        self.settings = replace(self.settings, steps=steps, warm_up=warm_up)
        return steps

    def _finished(self) -> float:
        """Return the time when all that was asked of the device is done."""
        if self.device == "cuda":
            torch.cuda.synchronize()
        return time.monotonic()

    def run(self, seconds: float, *, progress: Progress = silent) -> None:
        """Train until the time is up or all steps are done."""
        end = time.monotonic() + seconds
        self.model.train()
        while self.step < self.settings.steps and time.monotonic() < end:
            loss = self._learn()
            self.step += 1
            if self.step % _REPORT_EVERY == 0 or self.step == 1:
                progress(f"pretraining (loss {loss.item():.3f})", self.step, self.settings.steps)

    def evaluate(self) -> Evaluation:
        """Guess masked pieces of the held-out text."""
        random = torch.Generator(self.device).manual_seed(1)
        losses, hits, count = 0.0, 0, 0
        self.model.eval()
        with torch.no_grad():
            for begin in range(0, len(self._test), _TEST_BATCH):
                rows = self._test[begin : begin + _TEST_BATCH].long()
                shown, places, right = _mask(rows, _TEST_MASKED, self.config.vocabulary, random)
                scores = self._guess(shown, places)
                losses += float(functional.cross_entropy(scores, right, reduction="sum"))
                hits += int((scores.argmax(-1) == right).sum())
                count += int((right != _IGNORED).sum())
        return Evaluation(losses / count, hits / count)

    def save(self, folder: Path) -> None:
        """Write a checkpoint."""
        save_checkpoint(folder, self.step, self.model, self._optimizer, {})

    def resume(self, folder: Path) -> None:
        """Load the newest checkpoint, if there is one."""
        self.step, _ = load_newest_checkpoint(folder, self.model, self._optimizer)

    def export(self, folder: Path) -> None:
        """Write the encoder (safetensors, half precision) and its sizes."""
        make_folder(folder)
        save_half(self.model, folder / WEIGHTS)
        write_json(folder / CONFIG, {**self.config.as_dict(), "steps": self.step})

    def _learn(self) -> Tensor:
        settings = self.settings
        # A step depends on its number alone, so that a resumed run does the same.
        random = torch.Generator(self.device)
        random.manual_seed(settings.seed * 1_000_003 + self.step)
        drawn = torch.randint(
            len(self._train), (settings.batch,), generator=random, device=self.device
        )
        rows = self._train[drawn].long()
        shown, places, right = _mask(rows, settings.masked, self.config.vocabulary, random)
        share = rate_share(self.step, settings.steps, settings.warm_up)
        for group in self._optimizer.param_groups:
            group["lr"] = settings.rate * share
        loss = self._loss(shown, places, right)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return loss

    def _guess_loss(self, shown: Tensor, places: Tensor, right: Tensor) -> Tensor:
        return functional.cross_entropy(self._guess(shown, places), right)

    def _guess(self, shown: Tensor, places: Tensor) -> Tensor:
        with half_precision(self.device):
            vectors = self.model.encoder(shown).flatten(0, 1)
            scores = self.model.logits(vectors[places])
        return scores.float()


def _sequences(pieces: NDArray[np.uint16], settings: PretrainSettings) -> Tensor:
    """Cut the pieces into sequences, in an order that the seed decides."""
    inner = settings.length - 1
    count = len(pieces) // inner
    rows = pieces[: count * inner].reshape(count, inner).astype(np.int32)
    order = np.random.default_rng(settings.seed).permutation(count)
    start = np.full((count, 1), START, np.int32)
    return torch.from_numpy(np.hstack([start, rows])[order])


def _mask(
    rows: Tensor, share: float, vocabulary: int, random: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Choose pieces; mask 80 % of them, replace 10 %, keep 10 %. Return input, places and pieces.

    Equally many are chosen in every batch, so that a GPU need not wait to learn how many.
    """
    flat = rows.flatten()
    count = max(int(share * len(flat)), 1)
    device = flat.device
    keys = torch.rand(flat.shape, generator=random, device=device)
    places = keys.masked_fill(flat < len(SPECIAL), 2.0).topk(count, largest=False).indices
    right = flat[places]
    fate = torch.rand(count, generator=random, device=device)
    others = torch.randint(len(SPECIAL), vocabulary, (count,), generator=random, device=device)
    special = right < len(SPECIAL)  # drawn only where there is too little else
    given = torch.where(fate < _MASKED, torch.full_like(right, MASK), right)
    given = torch.where((fate >= _MASKED) & (fate < _CHANGED), others, given)
    shown = flat.scatter(0, places, torch.where(special, right, given))
    return shown.view_as(rows), places, right.masked_fill(special, _IGNORED)
