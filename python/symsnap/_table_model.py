"""What is kept of a fitted classifier in files and pickles."""

from __future__ import annotations

from . import _core


class TableModel:
    """What is kept of a fitted classifier in files."""

    def __init__(self, model: _core.TableModel) -> None:
        self._model = model

    def to_json(self) -> str:
        """The text of the model file."""
        return self._model.to_json()

    def __reduce__(self) -> tuple[object, ...]:
        return _model_again, (self.to_json(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableModel) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())


def _model_again(text: str) -> TableModel:
    return TableModel(_core.TableModel.from_json("<pickle>", text.encode()))
