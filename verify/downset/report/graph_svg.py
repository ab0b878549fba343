"""The call graph as a picture: agents in columns, by their distance from a user.

>>> from downset.graph.drawing import Arrow, Box, Drawing
>>> picture = Drawing("x", (Box("a<b", 0, "primary", True, False, ("shell",), ()),), ())
>>> "a&lt;b" in svg(picture)
True
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from downset.report.graph_text import because

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.graph.drawing import Arrow, Box, Drawing

WIDTH: Final = 210
HEIGHT: Final = 46
GAP_X: Final = 170
GAP_Y: Final = 20
MARGIN: Final = 30
LONGEST: Final = 26
COLOURS: Final = {"write": "#c2410c", "shell": "#b91c1c", "network": "#1d4ed8"}
STYLE: Final = """
  .box rect { fill: #fff; stroke: #64748b; stroke-width: 1 }
  .user rect { stroke-width: 2.5 }
  text { font: 13px sans-serif; fill: #0f172a }
  .power { font-size: 11px }
  .arrow { fill: none; stroke: #94a3b8; stroke-width: 1.2 }
  .ask { stroke-dasharray: 5 4 }
  .red { stroke: #dc2626; stroke-width: 1.8 }
"""


@dataclass(frozen=True)
class Spot:
    """Where a box stands."""

    x: float
    y: float


def svg(picture: Drawing) -> str:
    """A picture that needs nothing else; hovering over an arrow shows its rule."""
    spots = _spots(picture)
    right = max((spot.x for spot in spots.values()), default=0) + WIDTH + MARGIN + 60
    bottom = max((spot.y for spot in spots.values()), default=0) + HEIGHT + MARGIN
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {bottom:.0f}" '
            f'width="{right:.0f}" height="{bottom:.0f}" role="img">'
        ),
        f"<title>{html.escape(picture.title)}</title>",
        f"<style>{STYLE}</style>",
        *_heads(),
        *(_arrow(arrow, spots) for arrow in picture.arrows),
        *(_box(box, spots[box.name]) for box in picture.boxes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _spots(picture: Drawing) -> dict[str, Spot]:
    rows: dict[int, int] = {}
    spots = {}
    for box in picture.boxes:
        row = rows.get(box.level, 0)
        rows[box.level] = row + 1
        x = MARGIN + box.level * (WIDTH + GAP_X)
        spots[box.name] = Spot(x, MARGIN + row * (HEIGHT + GAP_Y))
    return spots


def _heads() -> Iterator[str]:
    for name, colour in (("head", "#94a3b8"), ("redhead", "#dc2626")):
        yield (
            f'<defs><marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{colour}"/>'
            "</marker></defs>"
        )


def _box(box: Box, spot: Spot) -> str:
    kind = "box user" if box.for_users else "box"
    name = html.escape(_short(box.name))
    powers = "".join(
        f'<tspan fill="{COLOURS[power.split()[0]]}">{power} </tspan>' for power in box.powers
    )
    return (
        f'<g class="{kind}" data-agent="{html.escape(box.name)}" '
        f'transform="translate({spot.x:.0f},{spot.y:.0f})">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f"<title>{html.escape(f'{box.name} {box.mode}'.strip())}</title>"
        f'<text x="10" y="19">{name}</text><text class="power" x="10" y="37">{powers}</text></g>'
    )


def _short(name: str) -> str:
    printable = "".join(letter if letter.isprintable() else "?" for letter in name)
    return printable if len(printable) <= LONGEST else printable[: LONGEST - 1] + "…"


def _arrow(arrow: Arrow, spots: dict[str, Spot]) -> str:
    kind = "arrow" + (" ask" if arrow.decision == "ask" else "") + (" red" if arrow.red else "")
    head = "redhead" if arrow.red else "head"
    tip = f"{arrow.source} -> {arrow.target}: {arrow.decision} by {because(arrow)}"
    title = html.escape(f"{tip}. {arrow.note}" if arrow.note else tip)
    ends = f'data-from="{html.escape(arrow.source)}" data-to="{html.escape(arrow.target)}"'
    return (
        f'<path class="{kind}" {ends} marker-end="url(#{head})" '
        f'd="{_path(spots[arrow.source], spots[arrow.target])}"><title>{title}</title></path>'
    )


def _path(start: Spot, end: Spot) -> str:
    """From right side to left side; to the same column or back, around the right."""
    x, y = start.x + WIDTH, start.y + HEIGHT / 2
    if end.x > start.x:
        to_x, to_y = end.x, end.y + HEIGHT / 2
        middle = (x + to_x) / 2
        return (
            f"M{x:.0f},{y:.0f} C{middle:.0f},{y:.0f} {middle:.0f},{to_y:.0f} {to_x:.0f},{to_y:.0f}"
        )
    to_x, to_y = end.x + WIDTH, end.y + HEIGHT / 2 + (10 if end == start else 4)
    bend = x + 40 + abs(to_y - y) / 6
    return f"M{x:.0f},{y:.0f} C{bend:.0f},{y:.0f} {bend:.0f},{to_y:.0f} {to_x:.0f},{to_y:.0f}"
