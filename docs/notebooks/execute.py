"""Run the notebooks, and store what they show.

    python docs/notebooks/execute.py

Needs the extra ``docs``. The tests run the same cells, so a notebook that fails is noticed.
"""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent

for path in sorted(HERE.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the time of day, which changes each time
    notebook.metadata.pop("language_info", None)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(path.name)
