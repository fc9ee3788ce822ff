"""Anytime inductive logic programming with snapshot ensembles: readable rules from relations and tables.

Learn from a Popper task folder with :func:`learn`; from tables, with the interface of scikit-learn, by
:class:`RuleEnsembleClassifier`.

Examples
--------
>>> import symsnap
>>> learned = symsnap.learn("../examples/family", ticks=1000)
>>> print(learned.rules[0])
grandmother(V0,V1) :- mother(V0,V2), parent(V2,V1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core
from ._database import Database, Schema
from ._errors import Diagnostic, SymsnapError, SymsnapWarning
from ._explain import Explanation, Proof, Step, Vote
from ._hypotheses import Confusion, Member, Snapshot
from ._learn import Learned, Run, learn
from ._model import EXPORTS, Model
from ._pool import COSTS, METHODS, SnapshotPool, ensemble
from ._task import Task

if TYPE_CHECKING:
    from ._class_rules import ClassRule, RuleList
    from ._classifier import RuleEnsembleClassifier

__version__: str = _core.__version__

__all__ = [
    "COSTS",
    "ClassRule",
    "Confusion",
    "Database",
    "Diagnostic",
    "EXPORTS",
    "Explanation",
    "Learned",
    "METHODS",
    "Member",
    "Model",
    "Proof",
    "RuleEnsembleClassifier",
    "RuleList",
    "Run",
    "Schema",
    "Snapshot",
    "SnapshotPool",
    "Step",
    "SymsnapError",
    "SymsnapWarning",
    "Task",
    "Vote",
    "__version__",
    "ensemble",
    "learn",
]

#: What needs scikit-learn, which takes a second to import; whoever learns from task folders does not wait for it.
_LATER = ("ClassRule", "RuleEnsembleClassifier", "RuleList")


def __getattr__(name: str) -> object:
    if name in _LATER:
        from . import _classifier

        return getattr(_classifier, name)
    raise AttributeError(f"module 'symsnap' has no attribute {name!r}")
