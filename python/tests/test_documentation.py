"""The page about the package says what happens."""

from __future__ import annotations

import doctest

from conftest import REPOSITORY


def test_the_page_is_true() -> None:
    failed, tried = doctest.testfile(str(REPOSITORY / "docs" / "PYTHON.md"), module_relative=False)
    assert tried > 20 and failed == 0
