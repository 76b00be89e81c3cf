"""The measures as tables for people: the same ones in the terminal and on the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Cell", "Share", "Table", "headline", "tables"]


@dataclass(frozen=True)
class Share:
    """A share of a whole, drawn as a bar."""

    value: float | None

    def __str__(self) -> str:
        return "-" if self.value is None else f"{self.value:.0%}"


Cell = str | Share


@dataclass(frozen=True, kw_only=True)
class Table:
    """One measure."""

    name: str
    """Short and fit for a link."""
    title: str
    note: str
    """What the numbers mean."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def headline(result: dict) -> str:
    """Who played, and for how long."""
    hours = result["ticks"] / 20 / 3600
    return (
        f"Update {result['update']:,} ({result['frames']:,} frames), world {result['world']} "
        f"version {result['world_version']}: {result['worlds']} worlds x {result['steps']:,} "
        f"steps, {hours:.1f} hours of game time, seed {result['seed']}, on "
        f"{result['device']}. First tasks from empty hands: {', '.join(result['funnels'])}; "
        f"later ones: {result['later_tasks']}."
    )


def tables(result: dict) -> tuple[Table, ...]:
    """All tables of a result of `lapis.inspect.measure`, but for those without rows."""
    found = [
        *(_funnel(goal, entry) for goal, entry in result["funnels"].items()),
        _time_by("depth", "Time by depth", "where", result),
        _time_by("hand", "Time by what is in hand", "in hand", result),
        _table(
            "time-group",
            "Time by goal group",
            "By the goal that was asked for. The last three columns are shares of the group's own "
            "time: no pickaxe held, nothing in hand, a block or more below the ground.",
            result["time_by_group"],
            ("asked for", "group"),
            ("time", "time", Share),
            ("tasks", "ended"),
            ("solved", _ratio("solved", "ended"), Share),
            ("no pickaxe", "no_pickaxe", Share),
            ("bare hand", "bare_hand", Share),
            ("below", "underground", Share),
        ),
        _table(
            "moves",
            "How certain the moves are",
            "Means over all steps, in nats. KL from the prior: how far the policy is from how it "
            "moved before it learned anything. Components are drawn separately, so they add up.",
            result["moves"]["entropy"],
            ("component", str),
            ("entropy", result["moves"]["entropy"].get, "{:.3f}"),
            ("KL from the prior", result["moves"]["divergence"].get, "{:.3f}"),
        ),
        _table(
            "value-fit",
            "Fit of the values",
            "Share of the returns' variance that the values explain; 1 is perfect, 0 no better "
            "than a constant. Bootstrapped: against the returns that training learns from, as "
            "value_fit in the log. Real: against the rewards that followed, discounted; the last "
            "three columns have the number of these steps and their means. A dash means that the "
            "returns hardly vary.",
            result["value_fit"],
            ("asked for", "group"),
            ("bootstrapped", "bootstrapped", "{:.2f}"),
            ("real", "real", "{:.2f}"),
            ("steps", "real_steps", "{:,}"),
            ("value", "mean_value", "{:.3f}"),
            ("return", "mean_return", "{:.3f}"),
        ),
        _table(
            "value-tools",
            "Value when a tool is first gained",
            "Mean change of the value in the step in which a player first gets the tool in an "
            "episode while the task continues; and the same for goals that need the tool.",
            result["value_at_first_tool"],
            ("tool", "tool"),
            ("times", "count"),
            ("change", "change", "{:+.3f}"),
            ("times needed", "needed_count"),
            ("change", "needed_change", "{:+.3f}"),
        ),
        _on_paper(result["on_paper"]),
        _waste(result["waste"]),
        _table(
            "placed",
            "Placed and dug up again",
            "How often a thing that does not occur naturally in the world was placed, and was back "
            "in the inventory within five steps.",
            result["placed"],
            ("item", "item"),
            ("placed", "placed"),
            ("dug up again", "dug_up_again"),
            ("share", _ratio("dug_up_again", "placed"), Share),
        ),
        _table(
            "stations",
            "Stations crafted per first tool",
            "One is enough for all tools that a player makes in one place.",
            [each for each in result["stations"] if each["crafted"]],
            ("station", "station"),
            ("crafted", "crafted"),
            ("first tool that needs it", "tool"),
            ("crafted", "tools"),
            ("stations per tool", _ratio("crafted", "tools"), "{:.1f}"),
        ),
        _loudness(result["embeddings"], result["one_item_more"]),
    ]
    return tuple(table for table in found if table.rows)


def _table(name: str, title: str, note: str, entries: Iterable[Any], *columns: tuple) -> Table:
    """A row for each entry; a column is its header and what `_cell` takes."""
    return Table(
        name=name,
        title=title,
        note=note,
        columns=tuple(header for header, *_ in columns),
        rows=tuple(tuple(_cell(entry, *how) for _, *how in columns) for entry in entries),
    )


def _cell(entry: Any, get: str | Callable[[Any], Any], form: str | type[Share] = "{}") -> Cell:
    """The value of an entry under a name, or as `get` computes it, in this form."""
    value = entry[get] if isinstance(get, str) else get(entry)
    return _number(value, form) if isinstance(form, str) else form(value)


def _ratio(part: str, whole: str) -> Callable[[dict], float | None]:
    return lambda entry: entry[part] / entry[whole] if entry[whole] else None


def _funnel(goal: str, entry: dict) -> Table:
    unfinished = entry["unfinished"]
    cut = f"; {unfinished} still at work when the play ended" if unfinished else ""
    return _table(
        f"funnel-{goal}",
        f"From empty hands to {goal}",
        f"Worlds with this goal: {entry['worlds']}{cut}. Share of them that held each item at some "
        "point of that task; medians of those that did.",
        entry["items"],
        ("item", "item"),
        ("worlds", "share", Share),
        ("median step", "median_step", "{:.0f}"),
        ("median time", "median_seconds", "{:.0f} s"),
    )


def _time_by(what: str, title: str, column: str, result: dict) -> Table:
    time = result[f"time_by_{what}"]
    note = "Shares of the game time."
    return _table(f"time-{what}", title, note, time, (column, str), ("time", time.get, Share))


def _on_paper(paper: dict) -> Table:
    item, goal = paper["item"], paper["goal"]
    names = {
        f"{item} given": paper["given"],
        f"{item} taken": paper["taken"],
        f"{goal}, not {paper['instead']}": paper["swapped"],
    }
    cases = {name: case for name, case in names.items() if case is not None}
    rows = {
        "moments": ("moments", "{:,}"),
        "value with": ("value_first", "{:.3f}"),
        "value without": ("value_second", "{:.3f}"),
        "change": ("change", "{:+.3f}"),
        "change, regardless of sign": ("absolute_change", "{:.3f}"),
    }
    return Table(
        name="on-paper",
        title="What one hypothetical change does",
        note=f"The goal is {goal}. The policy sees each moment twice, with the same memory: with "
        f"and without {item}, for players that have none (given) and for those that have some "
        f"(taken); and with the goal {paper['instead']} instead. KL of the moves between the two "
        "[nats].",
        columns=("", *cases),
        rows=(
            *(
                (title, *(_number(case[key], form) for case in cases.values()))
                for title, (key, form) in rows.items()
            ),
            *(
                (f"KL {name}", *(_number(case["divergence"][name]) for case in cases.values()))
                for name in paper["swapped"]["divergence"]
            ),
        ),
    )


def _waste(waste: dict) -> Table:
    rows = {
        "all attacks": "attacks",
        "in vain": "in_vain",
        "of these with bare hands": "bare_hand",
        f"of these {waste['longest_attack']} ticks long": "longest",
    }
    return _table(
        "waste",
        "Attacks in vain",
        "Shares of the game time. In vain: on a block, but neither this attack nor those that "
        "continued it brought an item.",
        rows,
        ("attacks", str),
        ("share", lambda title: waste[rows[title]], Share),
    )


def _loudness(norms: dict[str, float], more: dict[str, float]) -> Table:
    loud = norms | {f"one {item} more": norm for item, norm in more.items()}
    return _table(
        "loudness",
        "How strong each input is",
        "Mean norm of each embedding that enters the sum, and of the change of the sum by one more "
        "item; next to them, the same as parts of the norm of the whole sum.",
        loud,
        ("input", str),
        ("norm", loud.get, "{:.2f}"),
        ("of the sum", lambda name: loud[name] / norms["sum"], "{:.1%}"),
    )


def _number(value: Any, form: str = "{:.3f}") -> str:
    """A value in words; no minus before what rounds to zero."""
    if value is None:
        return "-"
    text = form.format(value)
    rounds_to_zero = isinstance(value, float) and not re.search("[1-9]", text)
    return form.format(0.0) if rounds_to_zero else text
