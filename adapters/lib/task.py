"""A task folder as data: what bias.pl declares, and the examples. Nothing of it is run here."""

from dataclasses import dataclass, field
from pathlib import Path

from lib.bias import Bias, read_bias
from lib.child import Unusable
from lib.text import Unreadable, clauses, signature, unquoted, within


@dataclass
class Task:
    """A task folder. Examples are the text of their atoms, as often as they stand there."""

    folder: Path
    bias: Bias
    positives: list = field(default_factory=list)
    negatives: list = field(default_factory=list)

    @property
    def background(self):
        return self.folder / "bk.pl"


def read(folder):
    """The task in this folder."""
    folder = Path(folder)
    if not folder.is_dir():
        raise Unusable(f"`{folder}` is no folder: it should be a task folder, with bk.pl, exs.pl and bias.pl")
    for name in ("bk.pl", "exs.pl", "bias.pl"):
        if not (folder / name).is_file():
            raise Unusable(f"`{folder}` has no {name}: it should be a task folder, with bk.pl, exs.pl and bias.pl")
    task = Task(folder.resolve(), _readable(folder / "bias.pl", read_bias))
    _readable(folder / "exs.pl", lambda text: _read_examples(text, task))
    if not task.positives:
        raise Unusable(f"`{folder / 'exs.pl'}` has no positive example, `pos(...)`: there is nothing to learn")
    return task


def _readable(path, reader):
    try:
        return reader(path.read_text(encoding="utf-8-sig"))
    except Unreadable as why:
        raise Unusable(f"{path}:{why.line}: {why}") from None
    except (UnicodeDecodeError, OSError) as why:
        raise Unusable(f"{path}: {why}") from None
    except RecursionError:
        raise Unusable(f"{path}: terms are nested too deeply") from None


def _read_examples(text, task):
    kinds = {"pos": task.positives, "neg": task.negatives}
    for clause in clauses(text):
        if clause[0].kind == "symbol" and clause[0].text == ":-":
            continue
        found = signature(clause)
        if found is None or found[1] != 1 or found[0] not in kinds:
            raise Unreadable(clause[0].line, f"an example is `pos(...)` or `neg(...)`, not `{_shown(text, clause)}`")
        inner, _ = within(clause, 1)
        head = signature(inner)
        wanted = (task.bias.head.name, task.bias.head.arity)
        if head is None or (unquoted(head[0]), head[1]) != wanted:
            raise Unreadable(
                clause[0].line, f"`{_shown(text, inner)}` is no example of {task.bias.head}, as head_pred says"
            )
        kinds[found[0]].append(text[inner[0].start : inner[-1].end])


def _shown(text, tokens):
    shown = " ".join(text[tokens[0].start : tokens[-1].end].split())
    return shown if len(shown) <= 60 else shown[:60] + "..."
