"""Our cross-encoder in torch (float32) and in onnxruntime (int8), side by side on the same pairs.

torch reads batches of 32 pairs in the order in which they come, filled up to the longest, both
texts cut into pieces anew for each pair, as is usual; once with all cores on a batch, once with a
batch on each core. Pairs are taken in rounds, each by all in turn, so that what else the machine
does troubles all alike; besides seconds of the clock there are those of the processor. Weights are
those of a fold that `locisimiles.train.crossencoder.job` wrote; without them the head is random,
and only speed and the distance of logits say anything.

    python benchmarks/crossencoder_speed.py SET ENCODER --weights fold-0.safetensors
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.models.onnx_cross_encoder import BUDGET, OnnxCrossEncoder
from locisimiles.models.pair_pieces import OUR_TEMPLATE, PairTexts, read_text_pieces
from locisimiles.models.pieces import PieceTokenizer
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.network import CrossEncoder, load_cross_encoder
from locisimiles.train.encoder.folder import read_config, read_tokenizer
from locisimiles.train.encoder.weights import load_pretrained

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Reader = Callable[[Sequence[str], Sequence[str]], np.ndarray]

RESULTS = Path(__file__).parent / "results" / "crossencoder_speed.json"
BATCH, ROUNDS = 32, 4


def load_network(encoder: Path, weights: Path | None, layers: int | None) -> CrossEncoder:
    if weights:
        return load_cross_encoder(weights, read_config(encoder / "config.json"))
    torch.manual_seed(0)
    network = CrossEncoder(load_pretrained(encoder, layers))
    network.eval()
    return network


def in_torch(network: CrossEncoder, reader: PieceTokenizer, *, workers: int, cores: int) -> Reader:
    def batch(query: Sequence[str], source: Sequence[str]) -> np.ndarray:
        torch.set_num_threads(cores)
        pieces = [
            read_text_pieces(reader, side, OUR_TEMPLATE.half(BUDGET)) for side in (query, source)
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

    def read(query: Sequence[str], source: Sequence[str]) -> np.ndarray:
        begins = range(0, len(query), BATCH)
        parts = ([side[begin : begin + BATCH] for begin in begins] for side in (query, source))
        with ThreadPoolExecutor(workers) as pool:
            return np.concatenate(list(pool.map(batch, *parts)))

    return read


def in_onnx(encoder: OnnxCrossEncoder) -> Reader:
    def read(query: Sequence[str], source: Sequence[str]) -> np.ndarray:
        sides, pairs = [], []
        for side in (query, source):
            distinct, place = np.unique(np.array(side), return_inverse=True)
            sides.append(distinct.tolist())
            pairs.append(place)
        return encoder.logits(sides[0], sides[1], pairs[0], pairs[1])

    return read


def measure(
    readers: dict[str, Reader], query: list[str], source: list[str]
) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for name, read in readers.items():
        read(query[:2], source[:2])
        rows[name] = {"reader": name, "seconds": 0.0, "cpu_seconds": 0.0, "logits": []}
    for part in range(ROUNDS):
        own = slice(len(query) * part // ROUNDS, len(query) * (part + 1) // ROUNDS)
        for name, read in readers.items():
            began, used = time.perf_counter(), time.process_time()
            rows[name]["logits"].append(read(query[own], source[own]))
            rows[name]["seconds"] += time.perf_counter() - began
            rows[name]["cpu_seconds"] += time.process_time() - used
    exact = np.concatenate(next(iter(rows.values()))["logits"])
    for row in rows.values():
        found = np.concatenate(row.pop("logits"))
        row["pairs_a_second"] = round(len(query) / row["seconds"], 1)
        row["pairs_a_cpu_second"] = round(len(query) / row["cpu_seconds"], 1)
        row["mean_difference"] = round(float(np.abs(found - exact).mean()), 5)
        row["largest_difference"] = round(float(np.abs(found - exact).max()), 4)
        same = found.argmax(axis=1) == exact.argmax(axis=1)
        row["same_decision_percent"] = round(100 * float(same.mean()), 2)
    return list(rows.values())


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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_interop_threads(1)
    network = load_network(options.encoder, options.weights, options.layers)
    vocabulary = options.encoder / "tokenizer.json"
    reader = PieceTokenizer(read_tokenizer(options.encoder))
    query, source = draw_pairs(Benchmark.load(options.set), options.pairs)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        export_cross_encoder(network, vocabulary, folder, trained={})
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        rows = measure(
            {
                "torch, all cores a batch": in_torch(
                    network, reader, workers=1, cores=options.cores
                ),
                "torch, one core a batch": in_torch(
                    network, reader, workers=options.cores, cores=1
                ),
                "int8": in_onnx(OnnxCrossEncoder(folder, threads=options.cores)),
            },
            query,
            source,
        )
    best, best_cpu = (max(row[key] for row in rows[:2]) for key in KEYS)
    for row in rows:
        row["times_torch"] = round(row[KEYS[0]] / best, 2)
        row["times_torch_by_cpu"] = round(row[KEYS[1]] / best_cpu, 2)
        print(
            f"{row['reader']:26}{row[KEYS[0]]:8} pairs/s  x {row['times_torch']:5} (cpu x "
            f"{row['times_torch_by_cpu']:5})  logits off by {row['mean_difference']} "
            f"(most {row['largest_difference']})  same decision {row['same_decision_percent']} %",
            flush=True,
        )
    facts = {
        "pairs": options.pairs,
        "cores": options.cores,
        "layers": network.encoder.config.layers,
        "megabytes": round(megabytes, 1),
        "trained": options.weights is not None,
        "rows": rows,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


KEYS = ("pairs_a_second", "pairs_a_cpu_second")


if __name__ == "__main__":
    main()
