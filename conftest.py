"""What needs torch is looked at only where torch is."""

from importlib.util import find_spec

_NEED_TORCH = (
    "encoder/network",
    "encoder/pretraining",
    "late/evaluation",
    "late/network",
    "late/project",
    "late/scoring",
    "late/tuning",
)
collect_ignore = (
    [] if find_spec("torch") else [f"src/locisimiles/train/{name}.py" for name in _NEED_TORCH]
)
