"""Our encoder in torch (float32) and in onnxruntime (int8), side by side on the same segments.

    python benchmarks/encoder_speed.py SET WEIGHTS --layers 12 10 8

Both read, batch (by exact length, without padding) and pool with the same code; only the network
differs. They encode segments of similar length in turn, so that other load slows all alike; CPU
seconds depend on it less. Needs torch and a folder with ``encoder.safetensors``, ``config.json``
and ``tokenizer.json``, as training writes them; an encoder without a head gets a random one. Writes
``benchmarks/results/encoder_speed.json``.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import load_file

from harness import add_ratios, in_rounds, parser, print_table, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.train.encoder.folder import read_config
from locisimiles.train.encoder.network import LatinEncoder
from locisimiles.train.late.export import export_late
from locisimiles.train.late.network import LateEncoder

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from locisimiles.models.onnx_encoder import Network

DIMENSIONS, ROUNDS = 128, 8


class InTorch(OnnxEncoder):
    """The same encoder with torch for its network."""

    def __init__(self, folder: Path, model: LateEncoder, *, workers: int, cores: int) -> None:
        super().__init__(folder, threads=workers)
        self.model, self.cores = model, cores

    @cached_property
    def _network(self) -> Network:
        def run(output: str, numbers: np.ndarray) -> np.ndarray:
            torch.set_num_threads(self.cores)
            with torch.inference_mode():
                hidden, projected = self.model(torch.from_numpy(numbers))
            vectors: np.ndarray = (hidden if output == "hidden" else projected).numpy()
            return vectors

        return run


class ManyCores(OnnxEncoder):
    """One batch at a time, on all cores."""

    def __init__(self, folder: Path, cores: int) -> None:
        super().__init__(folder, threads=1)
        self.cores = cores

    @cached_property
    def _network(self) -> Network:
        return self.network(cores=self.cores)


def load_model(folder: Path, layers: int) -> LateEncoder:
    config = replace(read_config(folder / "config.json"), layers=layers)
    model = LateEncoder(LatinEncoder(config), DIMENSIONS)
    wanted = model.state_dict()
    tensors = {n: t.float() for n, t in load_file(folder / "encoder.safetensors").items()}
    model.load_state_dict({name: tensors.get(name, own) for name, own in wanted.items()})
    model.eval()
    return model


def measure(encoders: dict[str, OnnxEncoder], texts: Sequence[str]) -> list[dict[str, Any]]:
    """Encode all texts with each encoder, a part of them in turn."""

    def encode(encoder: OnnxEncoder, part: slice) -> np.ndarray:
        return encoder.encode_pieces(texts[part]).vectors

    load = {}
    for name, encoder in encoders.items():
        began = time.perf_counter()
        encoder.encode_pieces(["arma uirumque cano"])
        load[name] = round(time.perf_counter() - began, 2)
    workers = {name: partial(encode, encoder) for name, encoder in encoders.items()}
    measured = in_rounds(workers, len(texts), ROUNDS)
    exact, _ = next(iter(measured.values()))
    rows = []
    for name, (vectors, taken) in measured.items():
        cosines = (vectors * exact).sum(axis=1)
        rows.append(
            {
                "encoder": name,
                "load_s": load[name],
                **taken,
                "segments_a_second": round(len(texts) / taken["seconds"], 1),
                "pieces_a_second": round(len(exact) / taken["seconds"]),
                "segments_a_cpu_second": round(len(texts) / taken["cpu_seconds"], 1),
                "mean_cosine": round(float(cosines.mean()), 5),
                "first_percentile": round(float(np.percentile(cosines, 1)), 5),
            }
        )
    return rows


def measure_network(
    given: Namespace, layers: int, texts: Sequence[str], pool: int
) -> dict[str, Any]:
    model, cores = load_model(given.weights, layers), given.cores
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        export_late(model, given.weights / "tokenizer.json", folder, trained={})
        size = round((folder / "encoder.onnx").stat().st_size / 1e6, 1)
        encoders = {
            "torch, all cores a batch": InTorch(folder, model, workers=1, cores=cores),
            "torch, one core a batch": InTorch(folder, model, workers=cores, cores=1),
            "int8, all cores a batch": ManyCores(folder, cores),
            "int8, one core a batch": OnnxEncoder(folder, threads=cores),
        }
        rows = measure(encoders, texts)
    add_ratios(rows, "segments_a_second", "segments_a_cpu_second")
    for row in rows:
        row["minutes_for_the_pool"] = round(pool / row["segments_a_second"] / 60, 1)
    print(f"\n{layers} layers, {size} MB in int8")
    print_table(rows)
    return {"layers": layers, "megabytes": size, "rows": rows}


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("weights", type=Path)
    options.add_argument("--layers", type=int, nargs="+", default=[12])
    options.add_argument("--segments", type=int, default=2000)
    options.add_argument("--cores", type=int, default=2)
    given = options.parse_args()
    pool = sorted(set(Benchmark.load(given.set).source.texts))
    drawn = np.random.default_rng(0).choice(len(pool), given.segments, replace=False)
    texts = sorted((pool[row] for row in drawn.tolist()), key=len)
    torch.manual_seed(0)
    torch.set_num_interop_threads(1)
    facts: dict[str, Any] = {"segments": len(texts), "pool": len(pool), "cores": given.cores}
    facts["networks"] = [
        measure_network(given, layers, texts, len(pool)) for layers in given.layers
    ]
    save_results("encoder_speed", facts)


if __name__ == "__main__":
    main()
