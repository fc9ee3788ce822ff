"""What the tests share: the examples of the repository, and the program whose files must be the same."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

import symsnap

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


@pytest.fixture(scope="session")
def hard(hard_texts: dict[str, str]) -> symsnap.Task:
    """A task whose search takes minutes: labels by chance over facts that have nothing to do with them."""
    return symsnap.Task.from_text(**hard_texts)


@pytest.fixture(scope="session")
def hard_texts() -> dict[str, str]:
    """The texts of that task."""
    chance = random.Random(1)
    people = [f"x{i}" for i in range(200)]
    facts = [f"r{k}({a},{chance.choice(people)})." for k in range(8) for a in people for _ in range(2)]
    exs = [f"{chance.choice(['pos', 'neg'])}(f({a}))." for a in people]
    bias = ["head_pred(f,1). max_vars(6). max_body(6).", *(f"body_pred(r{k},2)." for k in range(8))]
    return {"bk": "\n".join(facts), "exs": "\n".join(exs), "bias": "\n".join(bias)}
