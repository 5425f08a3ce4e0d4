"""Makes the small cross-encoder in `tiny_cross`: needs torch and onnx; see `make_tiny_latin`."""

import runpy
import sys
from pathlib import Path

import numpy as np

BUDGET = 24
HERE = Path(__file__).parent


def model(pooling="parts"):
    """Return the network, with the encoder of `tiny_latin` and a head and marks of its own."""
    import torch

    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder

    latin = runpy.run_path(HERE / "make_tiny_latin.py")
    network = CrossEncoder(LatinEncoder(EncoderConfig(**latin["MEASURES"])), pooling)
    random = np.random.default_rng(7)
    state = {name: torch.from_numpy(values) for name, values in latin["weights"]().items()}
    for name, own in network.state_dict().items():
        if not name.startswith("encoder."):
            drawn = random.normal(0, 0.3, tuple(own.shape)).astype(np.float32)
            state[name] = torch.from_numpy(drawn)
    network.load_state_dict({name: state[name] for name in network.state_dict()})
    return network.eval()


def make(folder, **options):
    from locisimiles.train.crossencoder.graph import export_cross_encoder

    network = model()
    export_cross_encoder(
        network,
        HERE / "tiny_latin" / "tokenizer.json",
        folder,
        trained={"on": "nothing"},
        **{"budget": BUDGET, **options},
    )
    return network


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "tiny_cross")
