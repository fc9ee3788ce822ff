"""The notebooks run from the first cell to the last, and show what they are about."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
#: What each must show: texts of its outputs.
SHOWN = {
    "flat_table": ["tumour", "accuracy", "probability", "image/png"],
    "molecules": ["mol_id", "of table", "element = n", "SELECT"],
    "popper_task": ["rules tested", "resampled", "image/png", "SnapshotPool"],
}


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.ipynb")))
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "notebooks are kept without their outputs"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    outputs = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
    missing = [text for text in SHOWN[name] if text not in outputs]
    assert not missing, missing
    nbformat.write(notebook, tmp_path / f"{name}.ipynb")
