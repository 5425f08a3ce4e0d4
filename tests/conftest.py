"""What tests of several rooms need."""

import json
import runpy
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

# How long an example takes says nothing on a machine that does other things too.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

_CHROMIUM = "chromium"

_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_LETTERS = "abcdefghijklmnopqrstuvxyz"


# Of a module, not of the session: while it is open, nothing else in its thread can run asyncio.
@pytest.fixture(scope="module")
def browser():
    """Return Chromium, as Playwright drives it."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="needs Playwright: pip install 'locisimiles[dev]'"
    )
    path = shutil.which(_CHROMIUM)
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        # As root, as in containers, Chromium runs only without its sandbox.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def browser_page(browser):
    """Return an empty page that remembers what it was told (`said`) and what it asked (`asked`).

    What it shall not do, and did, is found there: errors on the console, and addresses that are
    not on this machine.
    """
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    context.close()


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory):
    """Return the folder of a small BERT with random weights, whose tokens are letters and stems."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("tiny")
    stems = ["arma", "uir", "uox", "faux", "faucibus", "haesit", "query", "candidate", ":", ","]
    vocabulary = [*_SPECIAL, *_LETTERS, *(f"##{letter}" for letter in _LETTERS), *stems]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_attention_heads=2,
        num_hidden_layers=2,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.1,
        hidden_dropout_prob=0.02,
        attention_probs_dropout_prob=0.02,
    )
    transformers.BertModel(config).save_pretrained(folder, safe_serialization=True)
    return folder


@pytest.fixture(scope="session")
def tiny_latin():
    """Return the folder of a small encoder of ours with random weights; it reads 24 pieces."""
    return Path(__file__).parent / "data" / "tiny_latin"


@pytest.fixture(scope="session")
def tiny_cross():
    """Return the folder of a small cross-encoder of ours with random weights; 24 pieces a pair."""
    return Path(__file__).parent / "data" / "tiny_cross"


@pytest.fixture(scope="session")
def tiny_cross_script():
    """Return what made it."""
    return SimpleNamespace(**runpy.run_path(Path(__file__).parent / "data" / "make_tiny_cross.py"))


@pytest.fixture(scope="session")
def tiny_latin_script():
    """Return what made it."""
    return SimpleNamespace(**runpy.run_path(Path(__file__).parent / "data" / "make_tiny_latin.py"))


@pytest.fixture(scope="session")
def tiny_pretrained(tiny_latin, tmp_path_factory):
    """Return a folder like those of `train encoder`: two layers, random weights."""
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    from locisimiles.train.encoder.network import EncoderConfig, MaskedLanguageModel

    folder = tmp_path_factory.mktemp("pretrained")
    config = EncoderConfig(vocabulary=75, width=16, layers=2, heads=2, inner=24)
    torch.manual_seed(3)
    state = MaskedLanguageModel(config).state_dict()
    state["encoder.last.weight"] += 0.5  # as if it had been learnt
    save_file(
        {name: (4 * t if t.ndim > 1 else t).half() for name, t in state.items()},
        folder / "encoder.safetensors",
    )
    (folder / "config.json").write_text(json.dumps({**config.as_dict(), "steps": 1}))
    (folder / "tokenizer.json").write_bytes((tiny_latin / "tokenizer.json").read_bytes())
    return folder
