"""Makes the small encoder in `tiny_latin`: needs torch and onnx, which `make test` does without.

Run it when the format of model folders changes.
"""

import json
import sys
from pathlib import Path

import numpy as np

MEASURES = {"vocabulary": 75, "width": 16, "layers": 2, "heads": 2, "inner": 24, "base": 10_000.0}
DIMENSIONS = 8
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
STEMS = ["arma", "uir", "uirum", "cano", "uox", "faucibus", "haesit", "que", "nosce", "te"]
FOLDER = Path(__file__).parent / "tiny_latin"


def vocabulary():
    letters = "abcdefghilmnopqrstuxyz"
    pieces = [*SPECIAL, *".,;:!?", *letters, *(f"##{letter}" for letter in letters), *STEMS]
    return {piece: number for number, piece in enumerate([*pieces, *(f"##{s}" for s in STEMS)])}


def weights():
    """Return the weights by name, drawn by NumPy, whose numbers are the same everywhere."""
    random = np.random.default_rng(5)
    width, inner = MEASURES["width"], MEASURES["inner"]
    shapes = {"encoder.pieces": (MEASURES["vocabulary"], width), "head": (DIMENSIONS, width)}
    norms = ["encoder.after_pieces", "encoder.last"]
    for number in range(MEASURES["layers"]):
        layer = f"encoder.layers.{number}"
        norms += [f"{layer}.before_attention", f"{layer}.before_units"]
        shapes[f"{layer}.attention.into"] = (3 * width, width)
        shapes[f"{layer}.attention.out"] = (width, width)
        shapes[f"{layer}.into"] = (2 * inner, width)
        shapes[f"{layer}.out"] = (width, inner)
    drawn = {name: random.normal(0, 0.3, shape) for name, shape in shapes.items()}
    drawn["encoder.pieces"][0] = 0
    drawn |= {name: 1 + random.normal(0, 0.1, width) for name in norms}
    return {f"{name}.weight": values.astype(np.float32) for name, values in drawn.items()}


def make(folder):
    import tokenizers
    import torch

    from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder
    from locisimiles.train.late.export import export_late
    from locisimiles.train.late.network import LateEncoder

    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(vocabulary(), unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(SPECIAL)
    folder.mkdir(parents=True, exist_ok=True)
    written = json.dumps(json.loads(tokenizer.to_str()), indent=1, ensure_ascii=False)
    (folder / "tokenizer.json").write_text(written + "\n", encoding="utf-8", newline="\n")
    model = LateEncoder(LatinEncoder(EncoderConfig(**MEASURES)), DIMENSIONS)
    model.load_state_dict({name: torch.from_numpy(values) for name, values in weights().items()})
    export_late(model, folder / "tokenizer.json", folder, trained={"on": "nothing"}, longest=24)
    return model


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
