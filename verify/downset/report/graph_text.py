"""The call graph as text, as DOT for Graphviz, and as Mermaid.

>>> from downset.graph.drawing import Arrow, Box, Drawing
>>> picture = Drawing("opencode@1.18.2", (Box("a", 0, "primary", True, False, ("shell",), ()),),
...     (Arrow("a", "a", "ask", None),))
>>> print(mermaid(picture), end="")
flowchart LR
  n0["a<br/>shell"]
  n0 -. ask .-> n0
"""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING

from downset.report.check_text import rule_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.graph.drawing import Arrow, Drawing


def graph_text(picture: Drawing) -> str:
    """One paragraph for each agent: what it can do unasked, and whom it may start."""
    lines = [picture.title]
    for box in picture.boxes:
        if not box.mode:
            continue
        who = "" if box.for_users else ", not for users"
        powers = ", ".join(box.powers) or "nothing"
        lines += ["", f"{box.name}  ({box.mode}{who})  unasked: {powers}"]
        lines += [_line(arrow) for arrow in picture.arrows if arrow.source == box.name]
    return "\n".join(lines) + "\n"


def _line(arrow: Arrow) -> str:
    asks = " asks" if arrow.decision == "ask" else ""
    note = f"  ! {arrow.note}" if arrow.red else ""
    return f"  -> {arrow.target}{asks}  by {because(arrow)}{note}"


def because(arrow: Arrow) -> str:
    """The rule by which an agent may be started."""
    if arrow.rule is None:
        return "default"
    where = arrow.rule.place if arrow.rule.place is not None else arrow.rule.layer
    return f"`{rule_line(arrow.rule)}` ({where})"


def dot(picture: Drawing) -> str:
    """For Graphviz; rules are tooltips.

    >>> from downset.graph.drawing import Drawing
    >>> print(dot(Drawing("x", (), ())), end="")
    digraph agents {
      rankdir=LR;
      node [shape=box, style=rounded];
    }
    """
    lines = ["digraph agents {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    lines += [f"  {line}" for line in _dot_lines(picture)]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_lines(picture: Drawing) -> Iterator[str]:
    for box in picture.boxes:
        label = "\n".join([box.name, ", ".join(box.powers)]).strip()
        bold = ", penwidth=2" if box.for_users else ""
        yield f"{_quoted(box.name)} [label={_quoted(label)}{bold}];"
    for arrow in picture.arrows:
        style = ", style=dashed" if arrow.decision == "ask" else ""
        red = ", color=red" if arrow.red else ""
        ends = f"{_quoted(arrow.source)} -> {_quoted(arrow.target)}"
        tip = _quoted(f"{because(arrow)} {arrow.note}".strip())
        yield f"{ends} [edgetooltip={tip}{style}{red}];"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def mermaid(picture: Drawing) -> str:
    """For Markdown that draws; what gets around a deny is red."""
    numbers = {box.name: f"n{number}" for number, box in enumerate(picture.boxes)}
    lines = ["flowchart LR"]
    for box in picture.boxes:
        powers = f"<br/>{', '.join(box.powers)}" if box.powers else ""
        lines.append(f'  {numbers[box.name]}["{_escaped(box.name)}{powers}"]')
    for arrow in picture.arrows:
        line = "-. ask .->" if arrow.decision == "ask" else "-->"
        lines.append(f"  {numbers[arrow.source]} {line} {numbers[arrow.target]}")
    red = [str(number) for number, arrow in enumerate(picture.arrows) if arrow.red]
    lines += [f"  linkStyle {','.join(red)} stroke:red"] if red else []
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return html.escape(text).replace("\n", " ").replace("&", "#").replace("##", "#")
