"""Each language from the browser's wish, and a choice that is kept."""

from __future__ import annotations

import pytest
from running import make

from fugger.texts import LANGUAGES, words

from .playing import sit_down

HOME = ("Play now", "Your name", "A new table", "Play against two bots", "Rules")
TABLE = ("Your turn", "Jakob the Rich", "Draw a card", "What happened")


def missing(page, language: str, texts: tuple[str, ...]) -> list[str]:
    """Which of some texts a page lacks in a language."""
    shown = page.locator("body").inner_text().lower()
    return [text for text in texts if words(language).say(text).lower() not in shown]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_is_spoken(guest, site, language):
    ann = guest(language=f"{language}-AT")
    page = ann.open("/")
    assert language == page.locator("html").get_attribute("lang")
    assert [] == missing(page, language, HOME)

    [_, program] = make(site.client, "oh", first=0)
    sit_down(ann, f"{site.url}/tables/{program.table}")
    assert [] == missing(page, language, TABLE)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_texts_differ_from_the_english_ones(language):
    assert [] == [text for text in HOME + TABLE if words(language).say(text) == text]


def test_a_chosen_language_is_kept(guest, site):
    [_, program] = make(site.client, "oh", first=0)
    ann = guest(language="de")
    page = ann.open("/rules/adlung")
    ann.press(page.get_by_role("button", name="Magyar"))
    assert page.url == f"{site.url}/rules/adlung"
    page.goto("/")
    assert [] == missing(page, "hu", HOME)

    sit_down(ann, f"{site.url}/tables/{program.table}")
    assert [] == missing(page, "hu", TABLE)
