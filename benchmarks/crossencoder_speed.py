"""Our cross-encoder in torch (float32) and in onnxruntime (int8), side by side on the same pairs.

    python benchmarks/crossencoder_speed.py SET ENCODER --weights FILE [--other FOLDER]

As is usual, torch reads batches of 32 pairs in their order, padded to the longest, and tokenizes
both texts for each pair; once with all cores on a batch, once with a batch on each core. All read
pairs in turn, so that other load slows all alike; CPU seconds depend on it less. Weights are those
of a fold that `locisimiles.train.crossencoder.job` wrote; without them the head is random, and only
speed and the distance of logits are meaningful. FOLDER is that of another cross-encoder of
ours, which reads the same pairs (its logits differ, as it is another network). Writes
``benchmarks/results/crossencoder_speed.json``.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from harness import add_ratios, in_rounds, parser, print_table, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.models.onnx_cross_encoder import BUDGET, SETTINGS, OnnxCrossEncoder
from locisimiles.models.pair_pieces import OUR_TEMPLATE, PairTexts, read_text_pieces
from locisimiles.models.pieces import PieceTokenizer
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.network import CrossEncoder, load_cross_encoder
from locisimiles.train.encoder.folder import read_config, read_tokenizer
from locisimiles.train.encoder.weights import load_pretrained

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Predict = Callable[[Sequence[str], Sequence[str]], np.ndarray]

BATCH, ROUNDS = 32, 4


def load_network(encoder: Path, weights: Path | None, layers: int | None) -> CrossEncoder:
    if weights:
        return load_cross_encoder(weights, read_config(encoder / "config.json"))
    torch.manual_seed(0)
    network = CrossEncoder(load_pretrained(encoder, layers))
    network.eval()
    return network


def in_torch(
    network: CrossEncoder, tokenizer: PieceTokenizer, *, workers: int, cores: int
) -> Predict:
    def batch(query: Sequence[str], source: Sequence[str]) -> np.ndarray:
        torch.set_num_threads(cores)
        pieces = [
            read_text_pieces(tokenizer, side, OUR_TEMPLATE.half(BUDGET)) for side in (query, source)
        ]
        texts = PairTexts(pieces[0], pieces[1], BUDGET)
        rows = np.arange(len(query))
        own = texts.batch(rows, rows)
        with torch.inference_mode():
            logits: torch.Tensor = network(
                *(torch.from_numpy(array) for array in (own.numbers, own.marks, own.lengths))
            )
        found: np.ndarray = logits.numpy()
        return found

    def predict(query: Sequence[str], source: Sequence[str]) -> np.ndarray:
        begins = range(0, len(query), BATCH)
        parts = ([side[begin : begin + BATCH] for begin in begins] for side in (query, source))
        with ThreadPoolExecutor(workers) as pool:
            return np.concatenate(list(pool.map(batch, *parts)))

    return predict


def in_onnx(encoder: OnnxCrossEncoder) -> Predict:
    def predict(query: Sequence[str], source: Sequence[str]) -> np.ndarray:
        sides, pairs = [], []
        for side in (query, source):
            distinct, place = np.unique(np.array(side), return_inverse=True)
            sides.append(distinct.tolist())
            pairs.append(place)
        return encoder.logits(sides[0], sides[1], pairs[0], pairs[1])

    return predict


def measure(
    encoders: dict[str, Predict], query: list[str], source: list[str]
) -> list[dict[str, Any]]:
    def work(predict: Predict, part: slice) -> np.ndarray:
        return predict(query[part], source[part])

    for predict in encoders.values():
        predict(query[:2], source[:2])
    workers = {name: partial(work, predict) for name, predict in encoders.items()}
    measured = in_rounds(workers, len(query), ROUNDS)
    exact, _ = next(iter(measured.values()))
    rows = []
    for name, (logits, taken) in measured.items():
        difference = np.abs(logits - exact)
        same = logits.argmax(axis=1) == exact.argmax(axis=1)
        rows.append(
            {
                "reader": name,
                **taken,
                "pairs_a_second": round(len(query) / taken["seconds"], 1),
                "pairs_a_cpu_second": round(len(query) / taken["cpu_seconds"], 1),
                "mean_difference": round(float(difference.mean()), 5),
                "largest_difference": round(float(difference.max()), 4),
                "same_decision_percent": round(100 * float(same.mean()), 2),
            }
        )
    return rows


def draw_pairs(benchmark: Benchmark, count: int) -> tuple[list[str], list[str]]:
    """Draw pairs of the reduced documents of the first fold, references among them."""
    pool = fold_pool(benchmark, benchmark.folds[0])
    random = np.random.default_rng(0)
    query = random.integers(len(pool.query), size=count)
    source = random.integers(len(pool.source), size=count)
    some = random.permutation(len(pool.references))[: count // 10]
    query[: len(some)] = pool.references.query[some]
    source[: len(some)] = pool.references.source[some]
    order = random.permutation(count)
    return (
        [pool.query.texts[row] for row in query[order].tolist()],
        [pool.source.texts[row] for row in source[order].tolist()],
    )


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("encoder", type=Path)
    options.add_argument("--weights", type=Path)
    options.add_argument("--layers", type=int)
    options.add_argument("--other", type=Path, action="append", default=[], metavar="FOLDER")
    options.add_argument("--pairs", type=int, default=1000)
    options.add_argument("--cores", type=int, default=2)
    given = options.parse_args()
    torch.set_num_interop_threads(1)
    network = load_network(given.encoder, given.weights, given.layers)
    tokenizer = PieceTokenizer(read_tokenizer(given.encoder))
    query, source = draw_pairs(Benchmark.load(given.set), given.pairs)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        export_cross_encoder(network, given.encoder / "tokenizer.json", folder, trained={})
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        cores = given.cores
        encoders = {
            "torch, all cores a batch": in_torch(network, tokenizer, workers=1, cores=cores),
            "torch, one core a batch": in_torch(network, tokenizer, workers=cores, cores=1),
            "int8": in_onnx(OnnxCrossEncoder(folder, threads=cores)),
        }
        for other in given.other:
            layers = read_config(other / SETTINGS, "network").layers
            encoders[f"int8, {layers} layers"] = in_onnx(OnnxCrossEncoder(other, threads=cores))
        rows = measure(encoders, query, source)
    add_ratios(rows, "pairs_a_second", "pairs_a_cpu_second")
    print_table(rows)
    facts = {
        "pairs": given.pairs,
        "cores": given.cores,
        "layers": network.encoder.config.layers,
        "megabytes": round(megabytes, 1),
        "trained": given.weights is not None,
        "rows": rows,
    }
    save_results("crossencoder_speed", facts)


if __name__ == "__main__":
    main()
