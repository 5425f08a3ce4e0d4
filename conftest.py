"""What needs torch is looked at only where torch is; nothing is kept in the user's folders."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

# Each worker has a core: threads of OpenMP, as scikit-learn starts them, would wait for one another
# longer than they compute. Libraries read this when they are loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

pytest_plugins = ["support.benchmarks", "support.encoders"]

_NEED_TORCH = (
    "crossencoder/base_encoder",
    "crossencoder/bases",
    "crossencoder/final",
    "crossencoder/held_out",
    "crossencoder/job",
    "crossencoder/network",
    "crossencoder/preparation",
    "crossencoder/project",
    "crossencoder/teachers",
    "crossencoder/training",
    "encoder/job",
    "encoder/network",
    "encoder/pretraining",
    "encoder/weights",
    "late/evaluation",
    "late/exact",
    "late/network",
    "late/project",
    "late/tuning",
    "late/variants",
)
collect_ignore = (
    [] if find_spec("torch") else [f"src/locisimiles/train/{name}.py" for name in _NEED_TORCH]
)


# Importing it changes what imports mean.
collect_ignore += ["src/locisimiles/compat/unchanged.py"]
# They run in the Python of the paper's package.
collect_ignore += [f"tests/support/{name}.py" for name in ("their_models", "their_package")]
collect_ignore += [
    f"src/locisimiles/integrations/{name}.py"
    for name in ("sklearn", "spacy")
    if not find_spec(name)
]
if not find_spec("nicegui"):
    collect_ignore += [f"src/locisimiles/app/{name}" for name in ("access", "api", "ui")]
if not find_spec("psycopg"):
    collect_ignore += [
        f"src/locisimiles/app/storage/{name}.py" for name in ("connections", "postgres")
    ]


@pytest.fixture(scope="session", autouse=True)
def _no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep vectors in a folder of the tests' own, for examples in docstrings too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCISIMILES_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
