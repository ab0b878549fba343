"""The call graph as one page that needs nothing else: zoom, rules of an agent, paths.

>>> from downset.graph.drawing import Box, Drawing
>>> page = html_page(Drawing("x", (Box("</script>", 0, "primary", True, False, (), ()),), ()))
>>> page.count("</script>")
1
"""

from __future__ import annotations

import html
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from downset.report.check_text import request_text
from downset.report.graph_svg import svg

if TYPE_CHECKING:
    from downset.graph.drawing import Drawing

HEAD: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
 body { margin: 0; font: 14px sans-serif; display: flex; height: 100vh; color: #0f172a }
 #stage { flex: 1; overflow: hidden; cursor: grab; background: #f8fafc }
 #side { width: 380px; overflow: auto; padding: 12px; border-left: 1px solid #cbd5e1 }
 #side table { border-collapse: collapse; width: 100% }
 #side td { border-bottom: 1px solid #e2e8f0; padding: 2px 6px 2px 0; font: 12px monospace }
 #side th { text-align: left; padding-top: 10px }
 .deny { color: #b91c1c } .ask { color: #a16207 } .allow { color: #15803d }
 button { display: block; margin: 4px 0; text-align: left; width: 100% }
 g.box { cursor: pointer } .dim { opacity: .12 }
 svg.lit path.lit { stroke: #dc2626; stroke-width: 3 }
</style>
"""
SCRIPT: Final = """
const svg = document.querySelector('svg'), side = document.getElementById('rules');
let box = svg.viewBox.baseVal, from = null;
svg.setAttribute('width', '100%'); svg.setAttribute('height', '100%');
svg.addEventListener('wheel', event => {
  event.preventDefault();
  const by = event.deltaY > 0 ? 1.15 : 1 / 1.15, area = svg.getBoundingClientRect();
  box.x += (1 - by) * box.width * (event.clientX - area.left) / area.width;
  box.y += (1 - by) * box.height * (event.clientY - area.top) / area.height;
  box.width *= by; box.height *= by;
}, {passive: false});
svg.addEventListener('pointerdown', event => { from = event; });
window.addEventListener('pointerup', () => { from = null; });
window.addEventListener('pointermove', event => {
  if (!from) return;
  const scale = Math.max(box.width / svg.clientWidth, box.height / svg.clientHeight);
  box.x -= (event.clientX - from.clientX) * scale; box.y -= (event.clientY - from.clientY) * scale;
  from = event;
});
function add(parent, tag, text, kind) {
  const made = document.createElement(tag);
  made.textContent = text; if (kind) made.className = kind;
  parent.append(made); return made;
}
function show(name) {
  const agent = data.agents.find(one => one.name === name);
  side.replaceChildren(); if (!agent) return;
  add(side, 'h2', name); add(side, 'p', agent.mode + '; unasked: ' + (agent.powers.join(', ') || 'nothing'));
  const table = add(side, 'table', ''); let layer = null;
  for (const rule of agent.rules) {
    if (rule.layer !== layer) { add(add(table, 'tr', ''), 'th', layer = rule.layer).colSpan = 3; }
    const row = add(table, 'tr', ''), place = rule.place;
    add(row, 'td', rule.permission); add(row, 'td', rule.pattern); add(row, 'td', rule.action, rule.action);
    if (place) row.title = [place.file, place.line, place.column].join(':');
  }
}
function light(chain) {
  svg.classList.add('lit');
  for (const path of svg.querySelectorAll('path.arrow')) {
    const at = chain.findIndex((name, i) => name === path.dataset.from && chain[i + 1] === path.dataset.to);
    path.classList.toggle('lit', at >= 0); path.classList.toggle('dim', at < 0);
  }
  for (const one of svg.querySelectorAll('g.box')) one.classList.toggle('dim', !chain.includes(one.dataset.agent));
}
for (const one of svg.querySelectorAll('g.box')) one.addEventListener('click', () => show(one.dataset.agent));
const list = document.getElementById('paths');
for (const path of data.paths) {
  add(list, 'button', path.chain.join(' → ') + ': ' + path.request).addEventListener('click', () => light(path.chain));
}
document.getElementById('all').addEventListener('click', () => {
  for (const one of svg.querySelectorAll('.dim, .lit')) one.classList.remove('dim', 'lit');
});
"""  # noqa: E501 -- a script, not Python


def html_page(picture: Drawing) -> str:
    """The page; no text of the configuration is read as markup or as a script."""
    title = html.escape(picture.title)
    return (
        f"{HEAD}<title>{title}</title>\n"
        f'<div id="stage">{svg(picture)}</div>\n'
        f'<div id="side"><h1>{title}</h1><div id="rules"><p>Click an agent for its rules.</p>'
        '</div><h3>What gets around a deny</h3><div id="paths"></div>'
        '<button id="all">Show everything</button></div>\n'
        f"<script>const data = {_data(picture)};{SCRIPT}</script>\n</html>\n"
    )


def _data(picture: Drawing) -> str:
    agents = [asdict(box) for box in picture.boxes]
    paths = [
        {"chain": list(member.chain), "request": request_text(member.witness)}
        for member in picture.paths
    ]
    text = json.dumps({"agents": agents, "paths": paths})
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
