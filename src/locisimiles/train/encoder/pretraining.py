"""Pretrain the encoder: hide pieces of words and learn to guess them.

Training is cut into runs that may be short (a lent machine, a laptop's night). Where a run ends is
decided by the clock; how fast it learns is decided by how much of the whole is done, so that runs
one after the other do the same as one long run.
"""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from locisimiles.progress import silent
from locisimiles.train.encoder.network import EncoderConfig, MaskedLanguageModel
from locisimiles.train.encoder.vocabulary import MASK, SPECIAL, START

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.progress import Progress

__all__ = ["Evaluation", "PretrainSettings", "Pretraining", "rate_at"]


@dataclass(frozen=True, slots=True)
class PretrainSettings:
    """How to pretrain.

    Attributes
    ----------
    steps
        How many steps there are in all, over all runs.
    batch
        How many sequences a step sees.
    length
        How many pieces a sequence has.
    rate
        The highest learning rate.
    warm_up
        After how many steps it is reached; it then falls to nothing in a straight line.
    hidden
        The part of the pieces that is hidden.
    decay
        How strongly weights are drawn to nothing.
    seed
        For the weights at the start, the sequences and what is hidden in them.
    """

    steps: int = 20_000
    batch: int = 768
    length: int = 128
    rate: float = 1e-3
    warm_up: int = 1000
    hidden: float = 0.3
    decay: float = 0.05
    seed: int = 0

    def as_dict(self) -> dict[str, float]:
        """Return the settings by name, for files."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well hidden pieces of held-out text are guessed (15 % hidden)."""

    loss: float
    accuracy: float


def rate_at(step: int, settings: PretrainSettings) -> float:
    """Return the learning rate of a step.

    Examples
    --------
    >>> settings = PretrainSettings(steps=100, warm_up=10, rate=1.0)
    >>> [round(rate_at(step, settings), 2) for step in (0, 9, 54, 99)]
    [0.1, 1.0, 0.51, 0.01]
    """
    warm = min(1.0, (step + 1) / settings.warm_up)
    left = (settings.steps - step) / max(settings.steps - settings.warm_up, 1)
    return settings.rate * min(warm, left)


class Pretraining:
    """A pretraining that can be stopped and taken up again.

    Parameters
    ----------
    pieces
        The corpus as one run of numbers (`encode_lines`). Its last part is held out.
    config, settings
        The network, and how to train it.
    device
        ``cuda`` or ``cpu``; whichever is there by default.
    """

    def __init__(
        self,
        pieces: NDArray[np.uint16],
        config: EncoderConfig,
        settings: PretrainSettings,
        *,
        device: str | None = None,
    ) -> None:
        self.config, self.settings = config, settings
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(settings.seed)
        self.model = MaskedLanguageModel(config).to(self.device)
        self.step = 0
        sequences = _sequences(pieces, settings)
        held_out = max(len(sequences) // 100, 1) if len(sequences) < _MANY else _HELD_OUT
        self._train, self._test = sequences[:-held_out], sequences[-held_out:]
        self._optimizer = _optimizer(self.model, settings, fused=self.device == "cuda")
        encoder = self.model.encoder
        self._encode: Callable[[Tensor], Tensor] = (
            torch.compile(encoder) if self.device == "cuda" else encoder
        )

    def run(self, seconds: float, *, progress: Progress = silent) -> float:
        """Train until the clock runs out or all steps are done; return the last loss."""
        end = time.monotonic() + seconds
        loss = torch.zeros(())
        self.model.train()
        while self.step < self.settings.steps and time.monotonic() < end:
            loss = self._learn()
            self.step += 1
            if self.step % _REPORT == 0 or self.step == 1:
                progress(f"pretraining (loss {loss.item():.3f})", self.step, self.settings.steps)
        return float(loss.detach())

    def evaluate(self) -> Evaluation:
        """Guess hidden pieces of the held-out text."""
        random = torch.Generator().manual_seed(1)
        losses, hits, count = 0.0, 0, 0
        self.model.eval()
        with torch.no_grad():
            for begin in range(0, len(self._test), _TEST_BATCH):
                rows = self._test[begin : begin + _TEST_BATCH].long()
                shown, chosen = _hide(rows, 0.15, self.config.vocabulary, random)
                scores = self._guess(self.model.encoder, shown, chosen)
                right = rows[chosen].to(self.device)
                losses += float(functional.cross_entropy(scores, right, reduction="sum"))
                hits += int((scores.argmax(-1) == right).sum())
                count += len(right)
        return Evaluation(losses / count, hits / count)

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on; an older state is replaced only by a whole one."""
        folder.mkdir(parents=True, exist_ok=True)
        state = {
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "step": self.step,
            "config": self.config.as_dict(),
        }
        new = folder / "state.pt.new"
        torch.save(state, new)
        new.replace(folder / "state.pt")

    def resume(self, folder: Path) -> None:
        """Take up a training that was saved."""
        state = torch.load(folder / "state.pt", map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.step = int(state["step"])

    def export(self, folder: Path) -> None:
        """Write the encoder (safetensors, half precision) with its measures."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        weights = {
            name: tensor.detach().half().cpu().contiguous()
            for name, tensor in self.model.state_dict().items()
        }
        save_file(weights, folder / "encoder.safetensors")
        (folder / "config.json").write_text(
            json.dumps({**self.config.as_dict(), "steps": self.step}, indent=1) + "\n",
            encoding="utf-8",
        )

    def _learn(self) -> Tensor:
        settings = self.settings
        # What a step sees depends on its number alone, so that a resumed run sees the same.
        random = torch.Generator().manual_seed(settings.seed * 1_000_003 + self.step)
        rows = self._train[torch.randint(len(self._train), (settings.batch,), generator=random)]
        shown, chosen = _hide(rows.long(), settings.hidden, self.config.vocabulary, random)
        for group in self._optimizer.param_groups:
            group["lr"] = rate_at(self.step, settings)
        scores = self._guess(self._encode, shown, chosen)
        right = rows.long()[chosen].to(self.device, non_blocking=True)
        loss = functional.cross_entropy(scores, right)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return loss

    def _guess(self, encode: Callable[[Tensor], Tensor], shown: Tensor, chosen: Tensor) -> Tensor:
        with _half_precision(self.device):
            vectors = encode(shown.to(self.device, non_blocking=True))
            scores = self.model.guesses(vectors[chosen.to(self.device, non_blocking=True)])
        return scores.float()


_MASKED, _CHANGED = 0.8, 0.9
_MANY = 200_000
_HELD_OUT = 2_000
_TEST_BATCH = 500
_REPORT = 200


def _sequences(pieces: NDArray[np.uint16], settings: PretrainSettings) -> Tensor:
    """Cut the run of pieces into sequences, in an order that the seed decides."""
    inner = settings.length - 1
    count = len(pieces) // inner
    rows = pieces[: count * inner].reshape(count, inner).astype(np.int32)
    order = np.random.default_rng(settings.seed).permutation(count)
    start = np.full((count, 1), START, np.int32)
    return torch.from_numpy(np.hstack([start, rows])[order])


def _hide(
    rows: Tensor, part: float, vocabulary: int, random: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Hide some pieces: most behind a mask, a tenth behind another piece, a tenth not at all.

    Returns
    -------
    shown, chosen
        What the network sees, and which pieces it must guess.
    """
    chosen = (torch.rand(rows.shape, generator=random) < part) & (rows >= len(SPECIAL))
    fate = torch.rand(rows.shape, generator=random)
    others = torch.randint(len(SPECIAL), vocabulary, rows.shape, generator=random)
    shown = torch.where(chosen & (fate < _MASKED), torch.full_like(rows, MASK), rows)
    return torch.where(chosen & (fate >= _MASKED) & (fate < _CHANGED), others, shown), chosen


def _optimizer(
    model: MaskedLanguageModel, settings: PretrainSettings, *, fused: bool
) -> torch.optim.Optimizer:
    matrices = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups = [
        {"params": matrices, "weight_decay": settings.decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98), eps=1e-6, fused=fused)


def _half_precision(device: str) -> contextlib.AbstractContextManager[object]:
    if device == "cuda":
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return contextlib.nullcontext()
