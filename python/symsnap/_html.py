"""Pieces of HTML that notebooks show, in light and dark.

Colours are mixed from the colour of the text, which is that of the notebook's theme whatever that is; a query for the dark
scheme of the system would be wrong in a light notebook on a dark desktop. The few others are chosen to be readable on both.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

_STYLE = """<style>
.symsnap{font-size:13px;line-height:1.5;max-width:60em;--line:color-mix(in srgb,currentColor 22%,transparent);
--faint:color-mix(in srgb,currentColor 7%,transparent);--dim:color-mix(in srgb,currentColor 65%,transparent)}
.symsnap .title{font-weight:600;margin-bottom:4px}
.symsnap table{border-collapse:collapse;margin:4px 0;background:transparent;font-size:13px}
.symsnap th,.symsnap td{text-align:left!important;padding:3px 12px 3px 0;border:0;border-bottom:1px solid var(--line);
vertical-align:top;background:transparent!important;color:inherit}
.symsnap th{font-weight:500;color:var(--dim)}
.symsnap td.n{text-align:right!important;font-variant-numeric:tabular-nums}
.symsnap .rule{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;white-space:pre-wrap;
padding:1px 0 1px 2.2em;text-indent:-2.2em}
.symsnap .rules{background:var(--faint);border-radius:4px;padding:5px 10px;margin:3px 0}
.symsnap .head{font-weight:600}
.symsnap .var{color:#2f81d8}
.symsnap .num{color:#c07316}
.symsnap .small{color:var(--dim);font-size:12px}
.symsnap .note{border-left:3px solid #c07316;padding-left:8px;margin:4px 0;white-space:pre-wrap}
.symsnap .bar{display:inline-block;height:9px;border-radius:2px;background:#2f81d8;vertical-align:baseline}
.symsnap .yes{color:#2c9a55;font-weight:600}
.symsnap .no{color:#d0564a;font-weight:600}
.symsnap ul{margin:2px 0 2px 1.2em;padding:0}
.symsnap summary{cursor:pointer}
.symsnap svg text{fill:currentColor;font-size:11px}
</style>"""

_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|.", re.S)


def escape(text: object) -> str:
    """Text that cannot be taken for markup."""
    return html.escape(str(text), quote=True)


def block(title: str, body: str) -> str:
    """A titled block with the style of all."""
    return f'<div class="symsnap">{_STYLE}<div class="title">{escape(title)}</div>{body}</div>'


def small(text: str) -> str:
    """A line of small print."""
    return f'<div class="small">{escape(text)}</div>'


def notes(texts: Iterable[str]) -> str:
    """What should be known."""
    return "".join(f'<div class="note">{escape(text)}</div>' for text in texts)


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values."""
    return "<table>" + "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in rows) + "</table>"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of cells that are HTML already; the columns in ``numbers`` are set to the right."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(
        "<tr>"
        + "".join(f"<td{' class=n' if at in numbers else ''}>{cell}</td>" for at, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def rule(text: str) -> str:
    """A rule, with its head, variables and numbers set off."""
    head, sign, body = text.partition(" :- ")
    lines = f'<span class="head">{_coloured(head)}</span>{escape(sign)}{_coloured(body)}'
    return f'<div class="rule">{lines}</div>'


def rules(texts: Iterable[str]) -> str:
    """Rules, one below the other."""
    return '<div class="rules">' + "".join(rule(text) for text in texts) + "</div>"


def _coloured(text: str) -> str:
    out = []
    for token in _TOKEN.findall(text):
        shown = escape(token)
        if token[0].isupper() or (token[0] == "_" and len(token) > 1):
            shown = f'<span class="var">{shown}</span>'
        elif token[-1].isdigit() and (token[0].isdigit() or token[0] == "-"):
            shown = f'<span class="num">{shown}</span>'
        out.append(shown)
    return "".join(out)


def bar(share: float) -> str:
    """A share of 1 as a bar with its figure."""
    width = max(1, round(80 * min(max(share, 0.0), 1.0)))
    # In narrow cells the figure stays beside its bar.
    return f'<span style="white-space:nowrap"><span class="bar" style="width:{width}px"></span> {share:.3f}</span>'


def curve(points: Sequence[tuple[float, float]], across: str, up: str) -> str:
    """A falling step line: how a figure got better with time."""
    if len(points) < 2:
        return ""
    width, height, left, top = 420, 130, 44, 8
    last = points[-1][0]
    span = last - points[0][0] or 1.0
    low, high = min(y for _, y in points), max(y for _, y in points)
    reach = (high - low) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return left + (x - points[0][0]) / span * width, top + (high - y) / reach * height

    path, before = [], None
    for x, y in points:
        here = place(x, y)
        path.append(f"M{here[0]:.1f},{here[1]:.1f}" if before is None else f"H{here[0]:.1f}V{here[1]:.1f}")
        before = here
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.4" fill="#2f81d8"/>' for a, b in (place(x, y) for x, y in points)
    )
    axes = (
        f'<path d="M{left},{top}V{top + height}H{left + width}" fill="none" stroke="currentColor" stroke-opacity=".35"/>'
        f'<text x="{left - 6}" y="{top + 9}" text-anchor="end">{high:g}</text>'
        f'<text x="{left - 6}" y="{top + height}" text-anchor="end">{low:g}</text>'
        f'<text x="{left}" y="{top + height + 15}">{points[0][0]:.3g}</text>'
        f'<text x="{left + width}" y="{top + height + 15}" text-anchor="end">{last:.3g}</text>'
        f'<text x="{left + width / 2}" y="{top + height + 15}" text-anchor="middle">{escape(across)}</text>'
        f'<text x="{left + width}" y="{top + 9}" text-anchor="end">{escape(up)}</text>'
    )
    return (
        f'<svg width="{left + width + 10}" height="{top + height + 20}" role="img" aria-label="{escape(up)}">{axes}'
        f'<path d="{"".join(path)}" fill="none" stroke="#2f81d8" stroke-width="1.6"/>{dots}</svg>'
    )
