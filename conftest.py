"""What needs torch is looked at only where torch is."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["src/locisimiles/train/encoder/*"]
