"""The measures as tables for people: the same ones in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    seconds = result["ticks"] / 20
    return (
        f"Update {result['update']:,} ({result['frames']:,} frames), world {result['world']} "
        f"version {result['world_version']}: {result['worlds']} worlds x {result['steps']:,} "
        f"steps, {seconds / 3600:.1f} hours of the game, seed {result['seed']}, on "
        f"{result['device']}. First tasks from empty hands: {', '.join(result['funnels'])}; "
        f"later ones: {result['later_tasks']}."
    )


def tables(result: dict) -> tuple[Table, ...]:
    """All tables of a result of `lapis.inspect.measure`, but for those without rows."""
    found = [
        *(_funnel(goal, entry) for goal, entry in result["funnels"].items()),
        _by_share(result["time_by_depth"], "depth", "Time by depth", "where"),
        _by_share(result["time_by_hand"], "hand", "Time by what is in hand", "in hand"),
        _groups(result["time_by_group"]),
        _moves(result["moves"]),
        _fits(result["value_fit"]),
        _first_tools(result["value_at_first_tool"]),
        _on_paper(result["on_paper"]),
        _waste(result["waste"]),
        _placed(result["placed"]),
        _stations(result["stations"]),
        _loudness(result["embeddings"], result["one_item_more"]),
    ]
    return tuple(table for table in found if table.rows)


def _funnel(goal: str, entry: dict) -> Table:
    unfinished = entry["unfinished"]
    cut = f"; {unfinished} still at it when the play ended" if unfinished else ""
    return Table(
        name=f"funnel-{goal}",
        title=f"From empty hands to {goal}",
        note=f"Worlds asked: {entry['worlds']}{cut}. Share of them that ever held each item "
        "within that task; medians of those that did.",
        columns=("item", "worlds", "median step", "median time"),
        rows=tuple(
            (
                each["item"],
                Share(each["share"]),
                _number(each["median_step"], ".0f"),
                _number(each["median_seconds"], ".0f", " s"),
            )
            for each in entry["items"]
        ),
    )


def _by_share(time: dict[str, float], name: str, title: str, column: str) -> Table:
    return Table(
        name=f"time-{name}",
        title=title,
        note="Shares of the game time.",
        columns=(column, "time"),
        rows=tuple((each, Share(share)) for each, share in time.items()),
    )


def _groups(groups: Sequence[dict]) -> Table:
    return Table(
        name="time-group",
        title="Time by goal group",
        note="What was asked for. The last three columns are shares of the group's own time: no "
        "pickaxe held, nothing in hand, a block or more below the ground.",
        columns=("asked for", "time", "tasks", "solved", "no pickaxe", "bare hand", "below"),
        rows=tuple(
            (
                each["group"],
                Share(each["time"]),
                str(each["ended"]),
                Share(each["solved"] / each["ended"] if each["ended"] else None),
                *(Share(each[name]) for name in ("no_pickaxe", "bare_hand", "underground")),
            )
            for each in groups
        ),
    )


def _moves(moves: dict) -> Table:
    return Table(
        name="moves",
        title="How decided the moves are",
        note="Means over all steps, in nats. KL from the prior: how far the policy is from how it "
        "moved before it learned anything. Components are drawn apart, so that they add up.",
        columns=("component", "entropy", "KL from the prior"),
        rows=tuple(
            (name, _number(entropy, ".3f"), _number(moves["divergence"][name], ".3f"))
            for name, entropy in moves["entropy"].items()
        ),
    )


def _fits(fits: Sequence[dict]) -> Table:
    return Table(
        name="value-fit",
        title="Fit of the values",
        note="Share of the returns' variance that the values explain; 1 is perfect, 0 no better "
        "than a constant. Bootstrapped: against the returns that training learns from, as "
        "value_fit in the log. Real: against the rewards that followed, discounted; the last three "
        "columns have the number of these steps and their means. -: the returns hardly vary.",
        columns=("asked for", "bootstrapped", "real", "steps", "value", "return"),
        rows=tuple(
            (
                each["group"],
                _number(each["bootstrapped"], ".2f"),
                _number(each["real"], ".2f"),
                f"{each['real_steps']:,}",
                _number(each["mean_value"], ".3f"),
                _number(each["mean_return"], ".3f"),
            )
            for each in fits
        ),
    )


def _first_tools(changes: Sequence[dict]) -> Table:
    return Table(
        name="value-tools",
        title="Value when a tool is first gained",
        note="Mean change of the value in the step that brings the first of its kind in an "
        "episode, the task going on; and where the goal needs the tool.",
        columns=("tool", "times", "change", "times needed", "change"),
        rows=tuple(
            (
                each["tool"],
                str(each["count"]),
                _number(each["change"], "+.3f"),
                str(each["needed_count"]),
                _number(each["needed_change"], "+.3f"),
            )
            for each in changes
        ),
    )


def _on_paper(paper: dict) -> Table:
    item, goal = paper["item"], paper["goal"]
    names = {
        f"{item} given": paper["given"],
        f"{item} taken": paper["taken"],
        f"{goal}, not {paper['instead']}": paper["swapped"],
    }
    cases = {name: case for name, case in names.items() if case is not None}
    components = tuple(paper["swapped"]["divergence"])

    def numbers(case: dict) -> tuple[str, ...]:
        return (
            f"{case['moments']:,}",
            f"{case['value_first']:.3f}",
            f"{case['value_second']:.3f}",
            _number(case["change"], "+.3f"),
            f"{case['absolute_change']:.3f}",
            *(_number(case["divergence"][name], ".3f") for name in components),
        )

    rows = ("moments", "value with", "value without", "change", "change, regardless of sign")
    rows += tuple(f"KL {name}" for name in components)
    return Table(
        name="on-paper",
        title="What one change on paper does",
        note=f"Asked for {goal}, each moment is seen twice with the same memory: with {item} and "
        "without, by players that have none (given) and by those that have some (taken); and "
        f"asked for {paper['instead']} instead. KL of the moves between the two [nats].",
        columns=("", *cases),
        rows=tuple(zip(rows, *map(numbers, cases.values()), strict=True)),
    )


def _waste(waste: dict) -> Table:
    return Table(
        name="waste",
        title="Attacks in vain",
        note="Shares of the game time. In vain: on a block, but neither this attack nor those "
        "that carried it on brought an item.",
        columns=("attacks", "share"),
        rows=(
            ("all attacks", Share(waste["attacks"])),
            ("in vain", Share(waste["in_vain"])),
            ("of these with bare hands", Share(waste["bare_hand"])),
            (f"of these {waste['longest_attack']} ticks long", Share(waste["longest"])),
        ),
    )


def _placed(placed: Sequence[dict]) -> Table:
    return Table(
        name="placed",
        title="Placed and dug up again",
        note="How often a thing that does not lie in the world by itself was placed, and was back "
        "in the inventory within five steps.",
        columns=("item", "placed", "dug up again", "share"),
        rows=tuple(
            (
                each["item"],
                str(each["placed"]),
                str(each["dug_up_again"]),
                Share(each["dug_up_again"] / each["placed"]),
            )
            for each in placed
        ),
    )


def _stations(stations: Sequence[dict]) -> Table:
    return Table(
        name="stations",
        title="Stations crafted per first tool",
        note="One is enough for all tools that a player makes in one place.",
        columns=("station", "crafted", "first tool that needs it", "crafted", "stations per tool"),
        rows=tuple(
            (
                each["station"],
                str(each["crafted"]),
                each["tool"],
                str(each["tools"]),
                f"{each['crafted'] / each['tools']:.1f}" if each["tools"] else "-",
            )
            for each in stations
            if each["crafted"]
        ),
    )


def _loudness(norms: dict[str, float], more: dict[str, float]) -> Table:
    total = norms["sum"]

    def row(name: str, norm: float) -> tuple[Cell, ...]:
        return (name, f"{norm:.2f}", f"{norm / total:.1%}")

    return Table(
        name="loudness",
        title="How loud each input is",
        note="Mean norm of each embedding as it enters the sum, and of the change of the sum by "
        "one item more; beside them as parts of the norm of the whole sum.",
        columns=("input", "norm", "of the sum"),
        rows=(
            *(row(name, norm) for name, norm in norms.items()),
            *(row(f"one {item} more", norm) for item, norm in more.items()),
        ),
    )


def _number(number: float | None, form: str, unit: str = "") -> str:
    """A number in words; no minus before what rounds to zero."""
    if number is None:
        return "-"
    text = f"{number:{form}}"
    return f"{f'{0.0:{form}}' if float(text) == 0 else text}{unit}"
