"""What the tests share: the examples of the repository, and the program whose files must be the same."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def examples() -> Path:
    """The example tasks and tables of the repository."""
    return REPOSITORY / "examples"


@pytest.fixture(autouse=True)
def in_python_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in tests and documentation are seen from the folder of the package."""
    monkeypatch.chdir(REPOSITORY / "python")


@pytest.fixture
def program() -> str:
    """The command line program, built from the same sources; SYMSNAP_BIN names it."""
    found = os.environ.get("SYMSNAP_BIN") or shutil.which("symsnap")
    if not found:
        pytest.skip("SYMSNAP_BIN names no program to compare with")
    return found
