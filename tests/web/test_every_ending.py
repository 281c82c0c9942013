"""Every page of every kind of finished game: each golden game on a table, in each language."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from running import PATIENCE
from test_secrecy import table_of

from fugger import record
from fugger.texts import LANGUAGES

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.fgr"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_every_finished_game(here, language):
    headers = {"Accept-Language": language}
    with httpx.Client(base_url=here.url, timeout=PATIENCE, headers=headers) as http:
        for file in GOLDEN:
            (game,) = record.loads(file.read_text(encoding="utf-8"))
            table = table_of(game)
            table.phase = "over"
            here.site.tables.add(table)
            pages = ["", "/log", "/shuffle", "/rounds/1", f"/rounds/{len(game.evaluations)}"]
            for page in pages:
                answer = http.get(f"/tables/{table.id}{page}")
                assert 200 == answer.status_code, (file.name, page, answer.text[:500])


def test_a_shared_win_names_all_who_share_it(here):
    (game,) = record.loads((GOLDEN[0].parent / "rody-2-115-tie.fgr").read_text(encoding="utf-8"))
    table = table_of(game)
    table.phase = "over"
    here.site.tables.add(table)
    page = httpx.get(f"{here.url}/tables/{table.id}", timeout=PATIENCE).text
    assert f"Seat 0 and Seat 1 share the win with {game.money[0]} gulden each." in page
