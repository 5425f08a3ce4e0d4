"""Our encoder in torch (float32) and in onnxruntime (int8), side by side on the same segments.

Both read, batch (by exact length, without padding) and pool with the same code; only the network
differs. Segments are taken in rounds of about the same length, each by all in turn, so that what
else the machine does troubles all alike. Besides seconds of the clock there are those of the
processor, which other work troubles less. Needs torch and a folder with ``encoder.safetensors``,
``config.json`` and ``tokenizer.json`` as training writes them; an encoder without a head gets a
random one.

    python benchmarks/encoder_speed.py SET WEIGHTS --layers 12 10 8
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import load_file

from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder
from locisimiles.train.late.export import export_late
from locisimiles.train.late.network import LateEncoder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.models.onnx_encoder import Network

RESULTS = Path(__file__).parent / "results" / "encoder_speed.json"
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
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    names = EncoderConfig().as_dict()
    measures = {name: value for name, value in config.items() if name in names}
    model = LateEncoder(LatinEncoder(EncoderConfig(**{**measures, "layers": layers})), DIMENSIONS)
    wanted = model.state_dict()
    tensors = {n: t.float() for n, t in load_file(folder / "encoder.safetensors").items()}
    model.load_state_dict({name: tensors.get(name, own) for name, own in wanted.items()})
    model.eval()
    return model


def measure(encoders: dict[str, OnnxEncoder], texts: Sequence[str]) -> list[dict[str, Any]]:
    """Encode all texts with each encoder, a part of them in turn."""
    rows: dict[str, dict[str, Any]] = {}
    for name, encoder in encoders.items():
        began = time.perf_counter()
        encoder.encode_pieces(["arma uirumque cano"])
        rows[name] = {"encoder": name, "load_s": round(time.perf_counter() - began, 2)}
        rows[name] |= {"seconds": 0.0, "cpu_seconds": 0.0, "vectors": []}
    for part in range(ROUNDS):
        own = texts[len(texts) * part // ROUNDS : len(texts) * (part + 1) // ROUNDS]
        for name, encoder in encoders.items():
            began, used = time.perf_counter(), time.process_time()
            vectors = encoder.encode_pieces(own).vectors
            rows[name]["seconds"] += time.perf_counter() - began
            rows[name]["cpu_seconds"] += time.process_time() - used
            rows[name]["vectors"].append(vectors)
    exact = np.concatenate(next(iter(rows.values()))["vectors"])
    for row in rows.values():
        cosines = (np.concatenate(row.pop("vectors")) * exact).sum(axis=1)
        row["segments_a_second"] = round(len(texts) / row["seconds"], 1)
        row["pieces_a_second"] = round(len(exact) / row["seconds"])
        row["segments_a_cpu_second"] = round(len(texts) / row["cpu_seconds"], 1)
        row["mean_cosine"] = round(float(cosines.mean()), 5)
        row["first_percentile"] = round(float(np.percentile(cosines, 1)), 5)
    return list(rows.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--layers", type=int, nargs="+", default=[12])
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    pool = sorted(set(Benchmark.load(options.set).source.texts))
    drawn = np.random.default_rng(0).choice(len(pool), options.segments, replace=False)
    texts = sorted((pool[row] for row in drawn.tolist()), key=len)
    torch.manual_seed(0)
    torch.set_num_interop_threads(1)
    facts: dict[str, Any] = {"segments": len(texts), "pool": len(pool), "cores": options.cores}
    facts["networks"] = [network(options, layers, texts, len(pool)) for layers in options.layers]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def network(
    options: argparse.Namespace, layers: int, texts: Sequence[str], pool: int
) -> dict[str, Any]:
    model, cores = load_model(options.weights, layers), options.cores
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        export_late(model, options.weights / "tokenizer.json", folder, trained={})
        size = round((folder / "encoder.onnx").stat().st_size / 1e6, 1)
        encoders = {
            "torch, all cores a batch": InTorch(folder, model, workers=1, cores=cores),
            "torch, one core a batch": InTorch(folder, model, workers=cores, cores=1),
            "int8, all cores a batch": ManyCores(folder, cores),
            "int8, one core a batch": OnnxEncoder(folder, threads=cores),
        }
        rows = measure(encoders, texts)
    best = max(row["segments_a_second"] for row in rows[:2])
    best_cpu = max(row["segments_a_cpu_second"] for row in rows[:2])
    print(f"\n{layers} layers, {size} MB in int8")
    for row in rows:
        row["times_torch"] = round(row["segments_a_second"] / best, 2)
        row["times_torch_by_cpu"] = round(row["segments_a_cpu_second"] / best_cpu, 2)
        row["minutes_for_the_pool"] = round(pool / row["segments_a_second"] / 60, 1)
        print(
            f"{row['encoder']:26}{row['segments_a_second']:8} segments/s"
            f"{row['pieces_a_second']:8} pieces/s  x {row['times_torch']:5} (cpu x "
            f"{row['times_torch_by_cpu']:5})  cosine {row['mean_cosine']:.5f} "
            f"(1%: {row['first_percentile']:.5f})  load {row['load_s']:5} s  "
            f"pool {row['minutes_for_the_pool']:5} min",
            flush=True,
        )
    return {"layers": layers, "megabytes": size, "rows": rows}


if __name__ == "__main__":
    main()
