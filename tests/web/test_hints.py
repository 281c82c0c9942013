"""Hints: what the strongest bot would do, for who plays against bots alone."""

from __future__ import annotations

import re

import pytest
from running import wait_for
from test_pages import Browser

from fugger import bots

HINT = re.compile(r'id="notice">([^<]*)<')


@pytest.fixture
def ann(here):
    browser = Browser(here)
    yield browser
    browser.http.close()


@pytest.fixture
def bob(here):
    browser = Browser(here)
    yield browser
    browser.http.close()


def turn(browser, path):
    """The ply of the browser's own turn, once it has come."""

    def look():
        page = browser.get(path).text
        asked = re.search(r'/hint"[^>]*><input type="hidden" name="ply" value="(\d+)"', page)
        return asked and int(asked[1])

    return wait_for(look)


def test_a_hint_tells_an_action_and_what_it_brings(ann):
    bots.prepare()  # else the advice may have to do without a search
    path = ann.post("/play").url.path
    page = ann.post(f"{path}/hint", ply=turn(ann, path))

    assert 200 == page.status_code
    told = HINT.search(page.text)[1]
    assert re.match(r"The Banker would choose this: .+\. It expects to win \d+ games of 100", told)


def test_a_hint_changes_nothing(ann):
    path = ann.post("/play").url.path
    ply = turn(ann, path)
    ann.post(f"{path}/hint", ply=ply)

    assert ply == turn(ann, path)


def test_a_hint_for_an_old_board_is_none(ann):
    path = ann.post("/play").url.path
    turn(ann, path)

    assert 409 == ann.post(f"{path}/hint", ply=99).status_code


def test_who_watches_gets_no_hint(ann, bob):
    path = ann.post("/play").url.path
    ply = turn(ann, path)

    assert 403 == bob.post(f"{path}/hint", ply=ply).status_code


def test_among_people_there_are_no_hints(ann, bob):
    path = ann.table()
    assert 200 == bob.post(f"{path}/sit", seat=1, name="Bob").status_code  # the game starts
    pages = [who.post(f"{path}/hint", ply=0) for who in (ann, bob)]

    assert {409} == {page.status_code for page in pages}
