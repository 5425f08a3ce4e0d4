"""Where projects are, unless somebody chooses."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["default_folder"]


def default_folder() -> Path:
    """Return the folder ``LOCISIMILES_PROJECTS`` names, or one in the user's data folder."""
    import platformdirs

    chosen = os.environ.get("LOCISIMILES_PROJECTS")
    return Path(chosen) if chosen else platformdirs.user_data_path("locisimiles") / "projects"
