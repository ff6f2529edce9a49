"""Templates and what they may call: the same words for numbers in HTML and in Markdown."""

from __future__ import annotations

import math
import re
from functools import cache

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

from perf_ladders import stats
from perf_ladders.pages import formatting, stage_view
from perf_ladders.tree.techniques import anchor

# Code in Markdown begins and ends with as many backticks, and no paragraph ends in it.
_CODE_OR_TAG = re.compile(r"(?<![`\\])(`+)(?!`)(?s:(?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)|<(?=[A-Za-z/!?])")
# Links of notes, which lead through the repository: to a page of the site, and to a file that the site lacks.
_REPORT = re.compile(r'<a href="(?:\.\./)+reports/([\w-]+)\.md')
_OF_REPOSITORY = re.compile(r'<a href="(?:\.\./)+([^"#]+)[^"]*">(.*?)</a>', re.DOTALL)
_WORTH_SHOWING = 0.002  # of the work that a program does
_FILTERS = (
    "time",
    "seconds",
    "number",
    "percent",
    "per_cent",
    "stage_number",
    "score",
    "listed",
    "counted",
    "ratio",
    "interval",
    "times",
    "factor",
    "verdict",
    "prediction",
    "size",
    "bytes",
    "share",
    "missing",
    "interface",
    "function",
    "source_line",
)


@cache
def environment(html: bool) -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("perf_ladders.pages"),
        autoescape=html,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=None if html else _without_html,
    )
    made.filters |= {name: getattr(formatting, name) for name in _FILTERS}
    made.filters |= {"prose": _prose, "line": _line, "cell": _cell, "heat": _heat, "key": _key}
    made.globals |= {
        "machine_line": formatting.machine_line,
        "short_machine": formatting.short_machine,
        "compiler": formatting.compiler,
        "compiler_line": formatting.compiler_line,
        "made_line": formatting.made_line,
        "left_out": formatting.left_out,
        "amount_of": formatting.amount,
        "brackets_of": formatting.brackets,
        "span": formatting.span,
        "about_secrets": formatting.about_secrets,
        "about_undecided": formatting.undecided,
        "marks": formatting.MARKS,
        "quantities": formatting.QUANTITIES,
        "worth_showing": _WORTH_SHOWING,
        "known_sections": stage_view.KNOWN_SECTIONS,
        "min_floor": stats.MIN_FLOOR,
        "slight": stats.ALIKE,
        "anchor": anchor,
        "wide": _wide,
    }
    return made


def _without_html(value: object) -> object:
    """In Markdown: raw HTML in a text is shown, not obeyed, unless marked as safe. In code it is shown as it is."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _CODE_OR_TAG.sub(lambda found: found[0] if found[1] else "&lt;", value)


def _prose(text: str) -> Markup:
    """Markdown as HTML. Raw HTML in it is shown, not obeyed. Its headings rank below those of the page, and its tables
    scroll as those do. A link to a file that the site lacks names it."""
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = html.replace("<table>", f"{_wide('Table')}<table>").replace("</table>", "</table></div>")
    html = _REPORT.sub(r'<a href="\1.html', html)
    html = _OF_REPOSITORY.sub(r"\2 (<code>\1</code>)", html)
    return Markup(html.replace("<h2>", "<h4>").replace("</h2>", "</h4>"))


def _wide(says: str, ladder: str = "") -> Markup:
    """Begins what may be wider than the page. A keyboard reaches it, so that its arrows scroll; `says` is what is in
    it, and `ladder` the one that it belongs to."""
    of_ladder = Markup(' data-of-ladder="{}"').format(ladder) if ladder else ""
    return Markup('<div class="wide" tabindex="0" role="region" aria-label="{}"{}>').format(says, of_ladder)


def _line(text: str) -> Markup:
    """A sentence of Markdown as HTML, without a paragraph around it."""
    html: str = MarkdownIt("commonmark", {"html": False}).renderInline(text)
    return Markup(html)


def _cell(text: str) -> str:
    """In a cell of a Markdown table, where a bar would end it."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _heat(ratio: float) -> str:
    """The tint of a cell: its hue, and how much of it; full at 16 times as fast or slow, none within 2 %."""
    strength = min(1.0, abs(math.log2(ratio)) / 4)
    hue = "none" if strength < math.log2(1.02) / 4 else "more" if ratio > 1 else "less"
    return f"--hue: var(--{hue}); --heat: {8 + 37 * strength:.0f}%"


def _key(value: float | None) -> str:
    """What a cell is sorted by; empty for what is not known."""
    return "" if value is None else f"{value:.6g}"
