"""Fixtures for tests of several rooms."""

import json
import os
import runpy
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from support.chromium import SharedChromium

# Examples may take long on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

_CHROMIUM = SharedChromium()

_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_LETTERS = "abcdefghijklmnopqrstuvxyz"
_POSTGRES_USERS = "local all keeper trust\nlocal all all scram-sha-256\n"
# Nothing must survive the tests, so nothing waits for the disk.
_POSTGRES_SETTINGS = {
    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
    "listen_addresses": "", "shared_buffers": "32MB", "log_min_messages": "panic",
}  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Close the browser before tests that may run asyncio; the next that needs it opens another."""
    if "chromium" not in item.fixturenames:
        _CHROMIUM.close()


def pytest_sessionfinish():
    """Close the browser."""
    _CHROMIUM.close()


@pytest.fixture(scope="session")
def chromium():
    """Return what opens the browser; it stays the same when the browser is opened again."""
    return _CHROMIUM


@pytest.fixture
def browser(chromium):
    """Return Chromium, as Playwright drives it; all tests of this process share it."""
    return chromium.open()


@pytest.fixture
def browser_page(browser):
    """Return an empty page that records messages and errors (`said`) and requests (`asked`)."""
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
    """Return the script that made it."""
    return SimpleNamespace(**runpy.run_path(Path(__file__).parent / "data" / "make_tiny_cross.py"))


@pytest.fixture(scope="session")
def tiny_latin_script():
    """Return the script that made it."""
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


def _postgres_programs():
    found = shutil.which("initdb")
    installed = (
        [Path(found).resolve()] if found else Path("/usr/lib/postgresql").glob("*/bin/initdb")
    )
    return max((path.parent for path in installed), default=None)


def _unprivileged(folder):
    """Return options to start a program that refuses to run as root."""
    if os.getuid() != 0:
        return {}
    shutil.chown(folder, "nobody")
    return {"user": "nobody", "extra_groups": [], "cwd": folder}


class PostgresServer:
    """A PostgreSQL of our own, behind a socket in a folder of its own; `ann` may use `loci`."""

    password = "nemo-id-diuinat"

    def __init__(self, programs, folder):
        self._programs, self._folder = programs, folder
        self._user, self._process = _unprivileged(folder), None

    def make(self):
        import psycopg

        subprocess.run(
            [self._programs / "initdb", "-D", self._folder / "data", "-U", "keeper", "-E", "UTF8",
             "--locale=C", "--no-sync", "--auth=trust"],
            check=True, capture_output=True, **self._user,
        )  # fmt: skip
        (self._folder / "data" / "pg_hba.conf").write_text(_POSTGRES_USERS)
        self.start()
        self.tell(f"CREATE ROLE ann LOGIN PASSWORD '{self.password}'")
        database = "CREATE DATABASE loci OWNER ann TEMPLATE template0"
        try:  # one whose default order is that of a dictionary
            self.tell(f"{database} LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
        except psycopg.Error:  # before version 15
            self.tell(database)

    def start(self):
        named = [
            part for name, value in _POSTGRES_SETTINGS.items() for part in ("-c", f"{name}={value}")
        ]
        # Ends with us, however we end.
        dying = ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []
        self._process = subprocess.Popen(
            [*dying, self._programs / "postgres", "-D", self._folder / "data", "-k", self._folder,
             *named],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self._user,
        )  # fmt: skip
        end = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)

    def _answers(self):
        import psycopg

        try:
            return self.tell("SELECT true")
        except psycopg.OperationalError:
            return False

    def stop(self):
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # at once, but in order
            self._process.wait(30)

    def address(self, user="ann", password=password, database="loci"):
        return f"postgresql://{user}:{password}@/{database}?host={self._folder}"

    def tell(self, sql, database="postgres"):
        import psycopg

        address = self.address("keeper", database=database)
        with psycopg.connect(address, autocommit=True) as connection:
            done = connection.execute(sql)
            return done.fetchall() if done.description else []


@pytest.fixture(scope="session")
def postgres():
    """Return a server for all tests of this process, or skip them without PostgreSQL."""
    pytest.importorskip("psycopg", reason="needs psycopg")
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="loci"))  # a short name: it is part of a socket's
    server = PostgresServer(programs, folder)
    try:
        server.make()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
