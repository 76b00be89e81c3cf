"""SVG of a matplotlib figure with text under the pointer, for a page or as a file.

Parts that belong together have the same `gid` in matplotlib and become one group with a `title`,
which browsers show under the pointer. A word after a space in the gid becomes the class of that
part, whose look is then up to a style sheet: a path with the gid "goal-boat needs" becomes one of
class `needs` in the group of "goal-boat".
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from matplotlib.figure import Figure

__all__ = ["STYLE_SHEET", "inline_svg", "standalone_svg"]

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r"))
"""Characters that names may hold and XML must not."""

STYLE_SHEET = """
svg path, svg use { stroke-linejoin: round; }
.needs { fill: none; stroke: #c05621; stroke-width: 1.2; opacity: 0; pointer-events: none; }
.part:hover .needs { opacity: 0.9; }
"""


def standalone_svg(figure: Figure, titles: Mapping[str, str]) -> str:
    """The figure as an SVG file on white; `titles` are the texts by gid."""
    root = _draw(figure, titles, transparent=False, digits=2)
    style = Element("style")
    style.text = STYLE_SHEET
    root.insert(0, style)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def inline_svg(figure: Figure, titles: Mapping[str, str], theme: Mapping[str, str]) -> str:
    """The figure as an element of a page that has `STYLE_SHEET`: fonts are the page's.

    matplotlib's `svg.hashsalt` must be the figure's own on the page, so that no two share an id.
    `theme` says what stands in the page for each color.
    """
    root = _draw(figure, titles, transparent=True, digits=1)
    del root.attrib["width"], root.attrib["height"]
    uses = {element.get("href", "")[1:] for element in root.iter("use")}
    clips = {element.get("clip-path", "")[5:-1] for element in root.iter()}
    for element in root.iter():
        if element.get("id") not in uses | clips:
            element.attrib.pop("id", None)
        if "style" in element.attrib:
            element.set("style", _themed(element.attrib["style"], theme))
    return ElementTree.tostring(root, encoding="unicode")


def _draw(figure: Figure, titles: Mapping[str, str], *, transparent: bool, digits: int) -> Element:
    """The figure without what no viewer needs, its titled parts in groups."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", transparent=transparent, metadata={"Date": None})
    root = ElementTree.fromstring(file.getvalue().translate(None, _CONTROL))
    for child in list(root)[:2]:
        assert child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}defs")
        root.remove(child)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
        element.text = element.text if element.text and element.text.strip() else None
        element.tail = None
        if _XLINK in element.attrib:
            element.set("href", "".join(element.attrib.pop(_XLINK).split()))
        for name in {"d", "x", "y"} & set(element.keys()):
            words = element.attrib[name].split()
            element.set(name, " ".join(_rounded(word, digits) for word in words))
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
    _group(root, titles)
    root.set("xmlns", _SVG)
    return root


def _group(root: Element, titles: Mapping[str, str]) -> None:
    groups: dict[str, Element] = {}
    for parent in list(root.iter()):
        for child in list(parent):
            key, _, kind = child.get("id", "").partition(" ")
            if key not in titles:
                continue
            if key not in groups:
                groups[key] = Element("g", {"class": "part"})
                ElementTree.SubElement(groups[key], "title").text = titles[key]
                parent.insert(list(parent).index(child), groups[key])
            del child.attrib["id"]
            for path in child.iter("path") if kind else ():
                path.set("class", kind)
                del path.attrib["style"]
            parent.remove(child)
            groups[key].append(child)


def _rounded(word: str, digits: int) -> str:
    """A number with so many digits after the point; a letter as it is."""
    return word if word.isalpha() else f"{round(float(word), digits):g}"


def _themed(style: str, theme: Mapping[str, str]) -> str:
    """The style with the page's colors and without fonts."""
    pairs = [pair.partition(":") for pair in style.split(";") if pair.strip()]
    words = {name.strip(): value.strip() for name, _, value in pairs}
    words.pop("font-family", None)
    return ";".join(f"{name}:{theme.get(value, value)}" for name, value in words.items())
