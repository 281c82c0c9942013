"""Tickets: the shuffle is settled before its maker adds a word, and a form makes one table."""

from __future__ import annotations

import re

import httpx
from running import PATIENCE

from fugger import record
from fugger.dealer import Verdict, verify
from fugger.web.tickets import Tickets


def home(http: httpx.Client) -> tuple[str, str]:
    """The ticket and the commitment that the first page shows."""
    page = http.get("/").text
    (ticket,) = re.findall(r'name="ticket" value="([^"]+)"', page)
    (commitment,) = re.findall(r"<code>([0-9a-f]{64})</code>", page)
    return ticket, commitment


def test_the_table_has_the_commitment_that_was_shown_before_the_makers_words(here):
    with httpx.Client(base_url=here.url, timeout=PATIENCE, follow_redirects=True) as http:
        ticket, commitment = home(http)
        made = http.post("/play", data={"name": "Ann", "words": "my dice: 3 5", "ticket": ticket})
        name = made.url.path.rpartition("/")[2]
        text = http.get(f"/tables/{name}/record.fgr").text
    assert f'[Commitment "{commitment}"]' in text
    assert "my dice: 3 5" in text


def test_a_form_sent_twice_makes_one_table(here):
    with httpx.Client(base_url=here.url, timeout=PATIENCE, follow_redirects=True) as http:
        form = {"name": "Ann", "ticket": home(http)[0]}
        assert http.post("/play", data=form).url == http.post("/play", data=form).url


def test_a_ticket_of_another_server_is_none():
    ticket = Tickets(b"one" * 11).new()
    assert Tickets(b"other" * 7).read(ticket.text) is None
    assert Tickets(b"one" * 11).read(ticket.text) == ticket


def test_a_form_with_a_forged_ticket_still_makes_a_table(here):
    with httpx.Client(base_url=here.url, timeout=PATIENCE, follow_redirects=True) as http:
        made = http.post("/play", data={"name": "Ann", "ticket": "forged"})
        assert 200 == made.status_code
        assert "/tables/" in made.url.path


def test_a_table_from_a_ticket_deals_from_its_seed(here):
    with httpx.Client(base_url=here.url, timeout=PATIENCE, follow_redirects=True) as http:
        ticket, _ = home(http)
        made = http.post("/play", data={"name": "Ann", "ticket": ticket})
        table = here.site.tables.in_memory(made.url.path.rpartition("/")[2])
    game = table.game.copy()
    game.tags |= table.stream.tags(reveal=True)
    (read,) = record.loads(record.dumps(game))
    assert Verdict.VERIFIED == verify(read).verdict
