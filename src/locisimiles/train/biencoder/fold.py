"""Train a bi-encoder on the pairs of one fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint
from locisimiles.train.common.optimization import decay_groups

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.learn.sampling import TrainingPairs
    from locisimiles.models.encoders import TransformerEncoder
    from locisimiles.progress import Progress
    from locisimiles.train.biencoder.settings import BiEncoderSettings

__all__ = ["BiEncoderTraining", "average_precision", "online_contrastive_loss"]


@dataclass(frozen=True, slots=True)
class BiEncoderTraining:
    """Trains an encoder in place on `pairs`, evaluates it on `held_out`, keeps checkpoints.

    What a step does depends on its number and the seed alone: the order of pairs is drawn for each
    epoch, dropout for each step. So a checkpoint needs only the weights and the optimizer's state,
    and a resumed training ends with the same weights as an uninterrupted one.
    """

    encoder: TransformerEncoder
    benchmark: Benchmark
    pairs: TrainingPairs
    held_out: TrainingPairs
    settings: BiEncoderSettings
    folder: Path

    def run(self, name: str, progress: Progress) -> dict[str, Any]:
        """Train to the end; return the loss of each step and the evaluations on held-out pairs."""
        settings, steps = self.settings, self.settings.steps(len(self.pairs))
        optimizer = self._optimizer()
        done, log = load_newest_checkpoint(self.folder, self.encoder.model, optimizer)
        log = log or {"loss": [], "evaluations": []}
        for step in range(done, steps):
            progress(f"training {name}", step, steps)
            log["loss"].append(self._step(step, steps, optimizer))
            after = step + 1
            if len(self.held_out) and (after % settings.evaluate_every == 0 or after == steps):
                log["evaluations"].append({"step": after, "average_precision": self._evaluate()})
            if after % settings.checkpoint_every == 0 and after < steps:
                save_checkpoint(self.folder, after, self.encoder.model, optimizer, log)
        progress(f"training {name}", steps, steps)
        self.encoder.model.eval()
        return log

    def _optimizer(self) -> Any:  # noqa: ANN401 - torch is no dependency
        import torch

        settings = self.settings
        return torch.optim.AdamW(
            decay_groups(
                (p for p in self.encoder.model.parameters() if p.requires_grad),
                settings.weight_decay,
            ),
            lr=settings.learning_rate,
            betas=settings.betas,
            eps=settings.epsilon,
        )

    def _step(self, step: int, steps: int, optimizer: Any) -> float:  # noqa: ANN401
        import torch

        settings, model = self.settings, self.encoder.model
        devices = [model.device] if model.device.type == "cuda" else []
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate_at(step, steps)
        rows = self._rows(step)
        model.train()
        with torch.random.fork_rng(devices):
            torch.manual_seed(settings.seed * 1_000_003 + step)
            queries, sources = self._embed(self.pairs, rows)
        labels = torch.tensor(self.pairs.label[rows], device=queries.device)
        loss = online_contrastive_loss(queries, sources, labels, margin=settings.margin)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.max_grad_norm)
        optimizer.step()
        return float(loss.detach())

    def _rows(self, step: int) -> NDArray[np.int64]:
        """Return the pairs of a step."""
        epoch, batch = divmod(step, self.settings.steps(len(self.pairs)) // self.settings.epochs)
        order = np.random.default_rng([self.settings.seed, epoch]).permutation(len(self.pairs))
        begin = batch * self.settings.batch_size
        return order[begin : begin + self.settings.batch_size]

    def _embed(self, pairs: TrainingPairs, rows: NDArray[np.int64]) -> tuple[Any, Any]:
        query, source = self.benchmark.query.texts, self.benchmark.source.texts
        return (
            self.encoder.embed([query[position] for position in pairs.query[rows]], "query"),
            self.encoder.embed([source[position] for position in pairs.source[rows]], "source"),
        )

    def _evaluate(self) -> float:
        import torch

        pairs, size = self.held_out, self.settings.evaluation_batch_size
        self.encoder.model.eval()
        cosines = []
        with torch.inference_mode():
            for begin in range(0, len(pairs), size):
                rows = np.arange(begin, min(begin + size, len(pairs)))
                queries, sources = self._embed(pairs, rows)
                cosines.append((queries * sources).sum(1).float().cpu().numpy())
        return average_precision(np.concatenate(cosines), pairs.label)


def average_precision(scores: NDArray[np.float32], labels: NDArray[np.int8]) -> float:
    r"""Return the mean precision at the rank of each positive pair.

    .. math:: \frac{1}{P} \sum_{i:\, y_i = 1} \frac{|\{j : y_j = 1, s_j \ge s_i\}|}
              {|\{j : s_j \ge s_i\}|}

    Examples
    --------
    >>> average_precision(np.array([0.9, 0.8, 0.7]), np.array([1, 0, 1]))
    0.8333333333333333
    """
    order = np.argsort(-scores, kind="stable")
    scores, labels = scores[order], labels[order]
    # Pairs with equal scores share the last of their ranks.
    last = np.searchsorted(-scores, -scores, side="right")
    precision = np.cumsum(labels)[last - 1] / last
    return float(precision[labels == 1].mean())


def online_contrastive_loss(
    queries: torch.Tensor, sources: torch.Tensor, labels: torch.Tensor, *, margin: float = 0.5
) -> Any:  # noqa: ANN401 - a torch tensor; torch is no dependency
    r"""Return the contrastive loss over the hard pairs of a batch.

    With the cosine distance :math:`d` of each pair, positive pairs are hard if they are farther
    apart than the nearest negative, negatives if they are nearer than the farthest positive:

    .. math:: \sum_{\text{hard positive}} d^2
              + \sum_{\text{hard negative}} \max(m - d, 0)^2

    In a batch with at most one positive, the mean distance of the negatives replaces that of the
    farthest positive, and vice versa. This is the Online Contrastive Loss of sentence-transformers
    (Reimers and Gurevych 2019).

    Parameters
    ----------
    queries, sources
        The vectors of both sides of each pair.
    labels
        1 for positive pairs, 0 for negatives.
    margin
        Minimum distance of negatives (m).
    """
    import torch

    distances = 1 - torch.nn.functional.cosine_similarity(queries, sources)
    positive, negative = distances[labels == 1], distances[labels == 0]
    # One pair is too few to set the bar for the others.
    farthest = positive.max() if len(positive) > 1 else negative.mean()
    nearest = negative.min() if len(negative) > 1 else positive.mean()
    hard_negative = negative[negative < farthest]
    hard_positive = positive[positive > nearest]
    pull = hard_positive.pow(2).sum()
    push = torch.nn.functional.relu(margin - hard_negative).pow(2).sum()
    return pull + push
