"""Exported cross-encoders: the same bytes each time, and the same logits as in torch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.models.onnx_cross_encoder import OnnxCrossEncoder  # noqa: E402
from locisimiles.models.pair_pieces import PairTexts, read_text_pieces  # noqa: E402
from locisimiles.train.crossencoder.graph import export_cross_encoder  # noqa: E402
from locisimiles.train.crossencoder.training import predict  # noqa: E402

QUERIES = ["vox faucibus haesit", "Arma virumque cano,", "nosce te", "", "uox " * 40]
SOURCES = ["arma uirum", "haesit uox", "te nosce te", "cano", "faucibus " * 30]
PAIRS = tuple(axis.ravel() for axis in np.meshgrid(np.arange(5), np.arange(5)))


def in_torch(network, encoder, *, matches=True):
    query, source = (read_text_pieces(encoder._tokenizer, side, 100) for side in (QUERIES, SOURCES))
    return predict(network, PairTexts(query, source, 24, matches), *PAIRS)


def test_the_tiny_cross_encoder_is_exported_byte_by_byte(tiny_cross, tiny_cross_script, tmp_path):
    tiny_cross_script.make(tmp_path)
    for path in sorted(tiny_cross.iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("pooling", ["parts", "cls"])
@pytest.mark.parametrize("matches", [True, False])
def test_float32_equals_torch(tiny_cross_script, tiny_latin, tmp_path, pooling, matches):
    network = tiny_cross_script.model(pooling)
    export_cross_encoder(
        network, tiny_latin / "tokenizer.json", tmp_path, trained={}, precision="float32",
        budget=24, matches=matches,
    )  # fmt: skip
    encoder = OnnxCrossEncoder(tmp_path, threads=1)
    found = encoder.logits(QUERIES, SOURCES, *PAIRS)
    np.testing.assert_allclose(found, in_torch(network, encoder, matches=matches), atol=2e-5)


def test_int8_is_close_to_torch(tiny_cross, tiny_cross_script):
    encoder = OnnxCrossEncoder(tiny_cross, threads=1)
    found = encoder.logits(QUERIES, SOURCES, *PAIRS)
    exact = in_torch(tiny_cross_script.model(), encoder)
    assert 1e-5 < np.abs(found - exact).mean() < 0.1  # of numbers between -4 and 4
    assert np.corrcoef(found.ravel(), exact.ravel())[0, 1] > 0.99
