"""What needs torch is looked at only where torch is."""

from importlib.util import find_spec

_ROOMS = ("encoder", "late")
collect_ignore_glob = (
    [] if find_spec("torch") else [f"src/locisimiles/train/{room}/*" for room in _ROOMS]
)
