"""The rules to read: complete in every language, for each edition, within 80 columns."""

import pytest
from rich.cells import cell_len

from fugger import cli
from fugger.editions import EDITIONS, edition_named
from fugger.rulebook import Section, rulebook
from fugger.texts import LANGUAGES, words

BOTH = pytest.mark.parametrize("edition", EDITIONS)
ALL_LANGUAGES = pytest.mark.parametrize("language", LANGUAGES)


def section(edition: str, title: str) -> Section:
    return next(s for s in rulebook(edition_named(edition), words("en")) if s.title == title)


def text_of(section: Section) -> str:
    return "\n".join([*section.paragraphs, *section.table])


@BOTH
@ALL_LANGUAGES
def test_the_rules_fit_80_columns(
    edition: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.run(["rules", "--edition", edition, "--lang", language])
    lines = capsys.readouterr().out.splitlines()

    assert 0 == code
    assert [] == [line for line in lines if cell_len(line) > 80]


@BOTH
@ALL_LANGUAGES
def test_every_language_has_the_same_sections(edition: str, language: str) -> None:
    english = rulebook(edition_named(edition), words("en"))
    other = rulebook(edition_named(edition), words(language))

    assert [len(s.paragraphs) for s in english] == [len(s.paragraphs) for s in other]


@BOTH
def test_the_worked_example_is_the_rulebooks(edition: str) -> None:
    moves = [line.split()[2:6] for line in section(edition, "An example").table]

    assert [
        ["2", "5", "->", "4"],
        ["4", "5", "->", "9"],
        ["4", "5", "->", "9"],
        ["5", "5", "->", "1"],
        ["1", "5", "->", "4"],
    ] == moves


def test_the_box_is_told_in_its_numbers() -> None:
    text = text_of(section("adlung", "What is in the box"))

    assert "49 cards" in text
    assert "7 plain cards and 2 with a royal seal" in text
    assert "4 cards are merchants" in text


@pytest.mark.parametrize(
    ("edition", "title", "text"),
    [
        ("adlung", "Jakob the Rich", "whoever ships a good turns up one more card"),
        ("rody", "Jakob the Rich", "whoever plays a merchant turns up one more card"),
        ("adlung", "The prices", "stops at 1"),
        ("rody", "The prices", "10 is 1, 11 is 2"),
        ("adlung", "The prices", "A price of 1 can't fall any further"),
        ("rody", "The prices", "goes round the circle to 9"),
        ("adlung", "The end of the game", "100 gulden or more"),
        ("rody", "The end of the game", "more than 100 gulden"),
    ],
)
def test_each_edition_is_told_its_own_rule(edition: str, title: str, text: str) -> None:
    assert text in text_of(section(edition, title))


@BOTH
def test_both_editions_are_compared(edition: str) -> None:
    items = [line for line in section(edition, "Two editions").paragraphs if line[:2] == "- "]

    assert ["- Adlung", "- Rody"] * 4 == [item.partition(":")[0] for item in items]


def test_an_unknown_language_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = cli.run(["rules", "--lang", "xx"])

    assert 2 == code
    assert (
        "Error: 'xx' is no language of this program: expected en, de, fr, hu\n"
        == capsys.readouterr().err
    )


def test_the_language_of_the_environment_is_the_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "hu_HU.UTF-8")
    cli.run(["rules"])

    assert "Gazdag Jakab" in capsys.readouterr().out
