"""Why a model says what it says: proofs as objects, as text and as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _html
from ._hypotheses import Member


@dataclass(frozen=True)
class Step:
    """A body literal of a proof with its values, and why it holds.

    Attributes
    ----------
    literal : str
        The literal.
    by : str
        ``"fact"``: a fact of the background; ``"background"``: its rules or built-in predicates derive it; ``"member"``: a
        rule of the member proves it.
    proof : Proof or None
        For ``"member"``, that proof, unless it would be too long to show.
    """

    literal: str
    by: str
    proof: Proof | None = None


@dataclass(frozen=True)
class Proof:
    """A rule with values for its variables.

    Attributes
    ----------
    rule : str
        The rule as the model has it.
    head : str
        Its head with its values.
    body : tuple of Step
        Its body literals with their values, in order.
    """

    rule: str
    head: str
    body: tuple[Step, ...]

    @classmethod
    def _of(cls, raw: dict[str, Any], rules: tuple[str, ...]) -> Proof:
        inner = [(literal, by, None if proof is None else cls._of(proof, rules)) for literal, by, proof in raw["body"]]
        rule = rules[raw["rule"]] if raw["rule"] < len(rules) else ""
        return cls(rule, raw["head"], tuple(Step(*each) for each in inner))

    def lines(self, depth: int = 0) -> list[str]:
        """The proof as indented lines."""
        lines = []
        for step in self.body:
            lines.append("  " * depth + f"{step.literal}  [{step.by}]")
            if step.proof is not None:
                lines += step.proof.lines(depth + 1)
        return lines

    def __str__(self) -> str:
        return "\n".join([f"{self.head} because", *self.lines(1)])

    def _list(self) -> str:
        items = "".join(
            f'<li><code>{_html.escape(step.literal)}</code> <span class="small">{_html.escape(step.by)}</span>'
            f"{step.proof._list() if step.proof is not None else ''}</li>"
            for step in self.body
        )
        return f"<ul>{items}</ul>"

    def _repr_html_(self) -> str:
        return _html.block(self.head, _html.rules([self.rule]) + self._list())


@dataclass(frozen=True)
class Vote:
    """How one member votes about an example, and why.

    Attributes
    ----------
    member : int
        Its place among the members of the model.
    weight : float
        Its share of the vote.
    positive : bool
        Whether it covers the example.
    proof : Proof or None
        Why it does.
    closest : Proof or None
        If it does not, the rule that came furthest, with the literals that hold.
    fails : str or None
        The literal that has no answer then.
    error : str or None
        What that literal raised, if it raised an error.
    untried : tuple of str
        The literals behind it.
    """

    member: int
    weight: float
    positive: bool
    proof: Proof | None = None
    closest: Proof | None = None
    fails: str | None = None
    error: str | None = None
    untried: tuple[str, ...] = ()

    @classmethod
    def _of(cls, at: int, member: Member, raw: dict[str, Any]) -> Vote:
        def proof(name: str) -> Proof | None:
            return Proof._of(raw[name], member.rules) if name in raw else None

        return cls(
            at,
            member.weight,
            raw["vote"],
            proof("proof"),
            proof("closest"),
            raw.get("fails"),
            raw.get("error"),
            tuple(raw.get("untried", ())),
        )

    def __str__(self) -> str:
        lines = [f"member {self.member}, weight {self.weight:.4f}, votes {'pos' if self.positive else 'neg'}"]
        if self.proof is not None:
            lines += self.proof.lines(1)
        elif self.closest is not None:
            lines += [f"  closest is {self.closest.rule}", *self.closest.lines(1)]
            lines.append("  its head does not match" if self.fails is None else f"  {self.fails}  [fails]")
        else:
            lines.append("  no explanation was found within the limits")
        return "\n".join(lines)

    def _details(self) -> str:
        if self.proof is not None:
            return _html.rules([self.proof.rule]) + self.proof._list()
        if self.closest is None:
            return _html.small("no explanation was found within the limits")
        fails = "its head does not match" if self.fails is None else self.fails
        why = f'<ul><li><code>{_html.escape(fails)}</code> <span class="no">{_html.escape(self.error or "fails")}</span></li></ul>'
        return _html.rules([self.closest.rule]) + self.closest._list() + why


@dataclass(frozen=True)
class Explanation:
    """Why a model says what it says about one example.

    Attributes
    ----------
    example : str
        The example.
    label : bool
        Whether the model says positive.
    probability : float
        With which probability.
    votes : tuple of Vote
        The votes of all members, those with the most weight first.
    """

    example: str
    label: bool
    probability: float
    votes: tuple[Vote, ...]

    @classmethod
    def _of(cls, raw: dict[str, Any], members: list[Member]) -> Explanation:
        votes = [
            Vote._of(at, member, each) for at, (member, each) in enumerate(zip(members, raw["members"], strict=True))
        ]
        votes.sort(key=lambda vote: -vote.weight)
        return cls(raw["atom"], raw["label"], raw["probability"], tuple(votes))

    @property
    def proofs(self) -> list[Proof]:
        """The proofs of the members that cover the example."""
        return [vote.proof for vote in self.votes if vote.proof is not None]

    def __str__(self) -> str:
        positive = sum(vote.positive for vote in self.votes)
        word = "pos" if self.label else "neg"
        first = f"{self.example}: {word}, probability {self.probability:.4f} ({positive} of {len(self.votes)} members vote pos)"
        return "\n\n".join([first, *map(str, self.votes)])

    def _repr_html_(self) -> str:
        word = '<span class="yes">pos</span>' if self.label else '<span class="no">neg</span>'
        votes = "".join(
            f"<details{' open' if at == 0 else ''}><summary>member {vote.member} {_html.bar(vote.weight)} "
            f'<span class="{"yes" if vote.positive else "no"}">{"pos" if vote.positive else "neg"}</span></summary>'
            f"{vote._details()}</details>"
            for at, vote in enumerate(self.votes)
        )
        return _html.block(self.example, f"<div>{word}, probability {self.probability:.4f}</div>{votes}")
