"""A ladder's results: as facts for programs, as a table of values, and as one page with plots."""

from __future__ import annotations

import csv
import html
import io
from typing import TYPE_CHECKING, Any

from fugger.errors import ArenaError

if TYPE_CHECKING:
    from fugger.arena.ladder import Group, Ladder
    from fugger.arena.results import Estimate

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { padding: .25rem .9rem .25rem 0; text-align: right; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 1px solid #999; }
#vis { overflow-x: auto; }
"""


def facts(ladder: Ladder) -> dict[str, Any]:
    """What a program may want to know of a ladder."""
    return {
        "bots": list(ladder.bots),
        "seed": ladder.seed,
        "games": sum(meeting.standing.games for meeting in ladder.meetings),
        "ratings": [
            {
                "edition": None if group is None else group.edition,
                "players": None if group is None else group.players,
                "bot": rating.bot,
                "elo": _ends(rating.elo),
                "mu": rating.mu,
                "sigma": rating.sigma,
            }
            for group, ratings in [(None, ladder.overall), *ladder.by_group.items()]
            for rating in ratings
        ],
        "meetings": [
            {
                "edition": meeting.group.edition,
                "players": meeting.group.players,
                "bots": list(meeting.standing.contest.bots),
                "deals": meeting.standing.deals,
                "games": meeting.standing.games,
                "share": _ends(meeting.standing.share(0)),
                "forfeits": [of.forfeits for of in meeting.standing.bots],
            }
            for meeting in ladder.meetings
        ],
    }


def as_csv(ladder: Ladder) -> str:
    """The ratings and meetings as rows: kind, edition, players, bot, other, value, low, high."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["kind", "edition", "players", "bot", "other", "value", "low", "high"])
    for one in facts(ladder)["ratings"]:
        where = [one["edition"] or "all", one["players"] or "all", one["bot"], ""]
        rows.writerow(["elo", *where, *(f"{end:.1f}" for end in one["elo"].values())])
        rows.writerow(["openskill", *where, f"{one['mu']:.2f}", "", ""])
    for one in facts(ladder)["meetings"]:
        where = [one["edition"], one["players"], *one["bots"]]
        rows.writerow(["share", *where, *(f"{end:.4f}" for end in one["share"].values())])
    return out.getvalue()


def as_page(ladder: Ladder) -> str:
    """One page with tables and plots, which needs nothing else to be looked at.

    Raises:
        ArenaError: Altair isn't installed.
    """
    try:
        import altair as alt  # noqa: PLC0415 (an extra)
    except ImportError:
        raise ArenaError("Altair isn't installed: install fugger[arena] for ladders") from None

    order = list(ladder.bots)
    ratings = [
        {
            "tables": "all" if group is None else str(group),
            "bot": rating.bot,
            "Elo": rating.elo.mean,
            "low": rating.elo.low,
            "high": rating.elo.high,
        }
        for group, of in [(None, ladder.overall), *ladder.by_group.items()]
        for rating in of
    ]
    shares = [
        {
            "tables": str(group),
            "bot": bot,
            "against": other,
            "share": ladder.share(group, order.index(bot), order.index(other)).mean,
        }
        for group in ladder.by_group
        for bot in order
        for other in order
        if bot != other
    ]
    base = alt.Chart(alt.InlineData(ratings)).encode(
        y=alt.Y("bot:N", sort=order, title=None), color=alt.Color("tables:N", title="tables")
    )
    offset = alt.YOffset("tables:N")
    points = base.mark_point(filled=True, size=60).encode(
        x=alt.X("Elo:Q", scale=alt.Scale(zero=False)), yOffset=offset
    )
    bars = base.mark_rule().encode(x="low:Q", x2="high:Q", yOffset=offset)
    heat = alt.Chart(alt.InlineData(shares)).encode(
        x=alt.X("against:N", sort=order), y=alt.Y("bot:N", sort=order, title=None)
    )
    cells = heat.mark_rect().encode(
        color=alt.Color(
            "share:Q", scale=alt.Scale(scheme="blueorange", domain=[0, 1]), title="share of wins"
        )
    )
    texts = heat.mark_text().encode(text=alt.Text("share:Q", format=".0%"))
    chart = alt.vconcat(
        alt.layer(bars, points).properties(width=640, height=320, title="Elo, with 95 % intervals"),
        alt.layer(cells, texts).properties(width=220, height=180).facet("tables:N", columns=3),
    ).resolve_scale(color="independent")
    page = str(chart.to_html(inline=True))
    title = "<title>A ladder of Die Fugger bots</title>"
    head = f"{title}<style>{_STYLE}</style></head>"
    body = f"<body><h1>A ladder of Die Fugger bots</h1>{_tables(ladder)}"
    return page.replace("</head>", head, 1).replace("<body>", body, 1)


def _tables(ladder: Ladder) -> str:
    groups: list[Group | None] = [None, *ladder.by_group]
    parts = []
    titles = "".join(f"<th>{'all tables' if of is None else html.escape(str(of))}" for of in groups)
    rows = "".join(
        f"<tr><td>{html.escape(bot)}"
        + "".join(
            f"<td>{_told((ladder.overall if of is None else ladder.by_group[of])[place].elo)}"
            for of in groups
        )
        for place, bot in enumerate(ladder.bots)
    )
    parts.append(f"<table><thead><tr><th>Elo{titles}</thead><tbody>{rows}</tbody></table>")
    games = sum(meeting.standing.games for meeting in ladder.meetings)
    parts.append(f"<p>{games:,} games, seed {ladder.seed}. Intervals are of 95 %.</p>")
    return "".join(parts)


def _told(elo: Estimate) -> str:
    return f"{elo.mean:.0f} <small>({elo.low:.0f} to {elo.high:.0f})</small>"


def _ends(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
