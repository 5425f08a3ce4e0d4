"""One training of a bi-encoder: some pairs, many steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.train.biencoder.losses import online_contrastive_loss
from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.learn.sampling import TrainingPairs
    from locisimiles.models.encoders import TransformerEncoder
    from locisimiles.progress import Progress
    from locisimiles.train.biencoder.settings import BiEncoderSettings

__all__ = ["BiEncoderTraining", "average_precision"]


@dataclass(frozen=True, slots=True)
class BiEncoderTraining:
    """A training that can be cut off and goes on where it was.

    What a step does depends on its number and the seed alone: the order of pairs is drawn anew for
    each epoch, dropout for each step. So weights and the optimiser's state are all there is to
    keep, and a training that was cut off ends with the same weights as one that was not.

    Parameters
    ----------
    encoder
        What is trained, in place.
    benchmark
        Whose segments the pairs are.
    pairs
        What it is trained on.
    held_out
        Pairs it is looked at with now and then; may be empty.
    settings
        How.
    folder
        Where checkpoints are kept.
    """

    encoder: TransformerEncoder
    benchmark: Benchmark
    pairs: TrainingPairs
    held_out: TrainingPairs
    settings: BiEncoderSettings
    folder: Path

    def run(self, name: str, progress: Progress) -> dict[str, Any]:
        """Train to the end.

        Returns
        -------
        dict
            ``loss``: of each step; ``evaluations``: what was seen on held-out pairs, after which
            step.
        """
        settings, steps = self.settings, self.settings.steps(len(self.pairs))
        optimiser = self._optimiser()
        done, log = load_newest_checkpoint(self.folder, self.encoder.model, optimiser)
        log = log or {"loss": [], "evaluations": []}
        for step in range(done, steps):
            progress(f"training {name}", step, steps)
            log["loss"].append(self._step(step, steps, optimiser))
            after = step + 1
            if len(self.held_out) and (after % settings.evaluate_every == 0 or after == steps):
                log["evaluations"].append(
                    {"step": after, "average_precision": self._evaluate(self.held_out)}
                )
            if after % settings.checkpoint_every == 0 and after < steps:
                save_checkpoint(self.folder, after, self.encoder.model, optimiser, log)
        progress(f"training {name}", steps, steps)
        self.encoder.model.eval()
        return log

    def _optimiser(self) -> Any:  # noqa: ANN401 - torch is no dependency
        import torch

        settings = self.settings
        parameters = [p for p in self.encoder.model.parameters() if p.requires_grad]
        # As is usual, biases and the scales of norms do not decay.
        groups = [
            {
                "params": [p for p in parameters if p.ndim > 1],
                "weight_decay": settings.weight_decay,
            },
            {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(
            groups, lr=settings.learning_rate, betas=settings.betas, eps=settings.epsilon
        )

    def _step(self, step: int, steps: int, optimiser: Any) -> float:  # noqa: ANN401
        import torch

        settings, model = self.settings, self.encoder.model
        devices = [model.device] if model.device.type == "cuda" else []
        for group in optimiser.param_groups:
            group["lr"] = settings.learning_rate_at(step, steps)
        rows = self._rows(step)
        model.train()
        with torch.random.fork_rng(devices):
            torch.manual_seed(settings.seed * 1_000_003 + step)
            queries, sources = self._embed(self.pairs, rows)
        labels = torch.tensor(self.pairs.label[rows], device=queries.device)
        loss = online_contrastive_loss(queries, sources, labels, margin=settings.margin)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.max_grad_norm)
        optimiser.step()
        return float(loss.detach())

    def _rows(self, step: int) -> NDArray[np.int64]:
        """Return the pairs of a step."""
        epoch, batch = divmod(step, self.settings.steps(len(self.pairs)) // self.settings.epochs)
        order = np.random.default_rng([self.settings.seed, epoch]).permutation(len(self.pairs))
        begin = batch * self.settings.batch_size
        return order[begin : begin + self.settings.batch_size]

    def _embed(self, pairs: TrainingPairs, rows: Sequence[int] | NDArray[np.int64]) -> Any:  # noqa: ANN401
        query, source = self.benchmark.query.texts, self.benchmark.source.texts
        return (
            self.encoder.embed([query[position] for position in pairs.query[rows]], "query"),
            self.encoder.embed([source[position] for position in pairs.source[rows]], "source"),
        )

    def _evaluate(self, pairs: TrainingPairs) -> float:
        import torch

        self.encoder.model.eval()
        size = self.settings.evaluation_batch_size
        cosines = []
        with torch.inference_mode():
            for begin in range(0, len(pairs), size):
                rows = np.arange(begin, min(begin + size, len(pairs)))
                queries, sources = self._embed(pairs, rows)
                cosines.append((queries * sources).sum(1).float().cpu().numpy())
        return average_precision(np.concatenate(cosines), pairs.label)


def average_precision(scores: NDArray[np.float32], labels: NDArray[np.int8]) -> float:
    r"""Return the mean precision at the rank of each linked pair.

    .. math:: \frac{1}{P} \sum_{i:\, y_i = 1} \frac{|\{j : y_j = 1, s_j \ge s_i\}|}
              {|\{j : s_j \ge s_i\}|}

    Examples
    --------
    >>> average_precision(np.array([0.9, 0.8, 0.7]), np.array([1, 0, 1]))
    0.8333333333333333
    """
    order = np.argsort(-scores, kind="stable")
    scores, labels = scores[order], labels[order]
    # Pairs with equal scores are ranked together, at the last of their places.
    last = np.searchsorted(-scores, -scores, side="right")
    precision = np.cumsum(labels)[last - 1] / last
    return float(precision[labels == 1].mean())
