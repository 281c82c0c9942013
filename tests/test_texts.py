"""The catalogues: complete, and with the same placeholders as the English texts."""

import re
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from fugger.bots import NAMES
from fugger.errors import FuggerError
from fugger.names import bot_level
from fugger.texts import LANGUAGES, LOCALES, default_language, words

TRANSLATED = [language for language in LANGUAGES if language != "en"]
KEYWORDS = {"say": None, "say_number": (1, 2)}
SOURCE = LOCALES.parent
LEVELS = ("apprentice", "journeyman", "trader", "factor", "banker")


def texts_of_the_source() -> set[str | tuple[str, ...]]:
    kinds = [("**.py", "python"), ("web/templates/**.html", "jinja2")]
    found = extract_from_dir(SOURCE, kinds, keywords=KEYWORDS)
    return {message for _, _, message, _, _ in found}


def catalogue(language: str) -> list[Message]:
    with (LOCALES / language / "LC_MESSAGES" / "fugger.po").open("rb") as file:
        read = read_po(file, abort_invalid=True)
    assert {} == read.obsolete, "texts that are gone must be removed"
    return [message for message in read if message.id]


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_source_has_texts() -> None:
    assert 150 < len(texts_of_the_source())


def test_no_text_is_hidden_in_an_f_string() -> None:
    """Before Python 3.12 the extraction can't look into them, so such a text stays English."""
    hidden = [
        f"{path.name}: {line.strip()}"
        for path in SOURCE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "{words.say(" in line or "{say(" in line or "{view.words.say(" in line
    ]

    assert [] == hidden


@pytest.mark.parametrize(
    "template", sorted(SOURCE.glob("web/templates/*.html")), ids=lambda f: f.name
)
def test_no_text_of_a_page_is_put_together_from_pieces(template: Path) -> None:
    """A colon or a bracket behind a text stands differently in every language."""
    glued = re.compile(r"\}\}(</\w+>)?\s?[:(;,](?![\w-]+=)|[(]\{\{ say|join\(\"[^\\\\]")

    assert [] == [
        line.strip()
        for line in template.read_text(encoding="utf-8").splitlines()
        if glued.search(line)
    ]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    translated = {
        message.id if isinstance(message.id, str) else tuple(message.id)
        for message in catalogue(language)
        if all(forms(message.string)) and not message.fuzzy
    }

    assert set() == texts_of_the_source() ^ translated


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_has_the_placeholders_of_its_text(language: str) -> None:
    different = [
        (message.id, text)
        for message in catalogue(language)
        for text in forms(message.string)
        if placeholders(forms(message.id)[0]) != placeholders(text)
    ]

    assert [] == different


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_plural_has_all_forms_of_its_language(language: str) -> None:
    with (LOCALES / language / "LC_MESSAGES" / "fugger.po").open("rb") as file:
        read = read_po(file)

    assert [] == [m.id for m in read if m.pluralizable and len(m.string) != read.num_plurals]


@pytest.mark.parametrize("language", TRANSLATED)
def test_list_items_stay_list_items(language: str) -> None:
    different = [
        message.id
        for message in catalogue(language)
        if isinstance(message.id, str)
        and message.id.startswith("- ") != message.string.startswith("- ")
    ]

    assert [] == different


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["copper", "cloth", "wine", "spice", "jewelry"]),
        ("de", ["Kupfer", "Tuch", "Wein", "Gewürz", "Juwelen"]),
        ("fr", ["cuivre", "tissu", "vin", "épices", "bijoux"]),
        ("hu", ["réz", "posztó", "bor", "fűszer", "ékszer"]),
    ],
)
def test_goods_are_called_by_their_names(language: str, names: list[str]) -> None:
    goods = ["copper", "cloth", "wine", "spice", "jewelry"]

    assert names == [words(language).say(good) for good in goods]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", [*LEVELS, *NAMES])
def test_every_level_of_bots_has_a_name_a_style_and_a_face(language: str, level: str) -> None:
    known = bot_level(words(language), level)
    sprite = (SOURCE / "web/static/art/sprite.svg").read_text(encoding="utf-8")

    assert known.name not in {"", level}
    assert known.style
    assert f'<symbol id="{known.face}"' in sprite


def test_a_level_of_elsewhere_goes_by_its_own_name() -> None:
    assert "grandmaster" == bot_level(words("de"), "grandmaster").name


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("en", "Anna gets 1 card.", "Anna gets 2 cards."),
        ("de", "Anna bekommt 1 Karte.", "Anna bekommt 2 Karten."),
        ("fr", "Anna reçoit 1 carte.", "Anna reçoit 2 cartes."),
        ("hu", "Anna 1 lapot kap.", "Anna 2 lapot kap."),
    ],
)
def test_numbers_take_the_right_form(language: str, one: str, many: str) -> None:
    said = [
        words(language).say_number(
            "{name} gets {number} card.", "{name} gets {number} cards.", number, name="Anna"
        )
        for number in (1, 2)
    ]

    assert [one, many] == said


@pytest.mark.parametrize(
    ("language", "things", "listed"),
    [
        ("en", ["copper", "cloth", "wine"], "copper, cloth and wine"),
        ("de", ["Kupfer", "Tuch", "Wein"], "Kupfer, Tuch und Wein"),
        ("fr", ["cuivre", "tissu", "vin"], "cuivre, tissu et vin"),
        ("hu", ["réz", "posztó", "bor"], "réz, posztó és bor"),
        ("en", ["copper", "cloth"], "copper and cloth"),
        ("en", ["copper"], "copper"),
        ("en", [], ""),
    ],
)
def test_things_are_listed_as_in_a_sentence(language: str, things: list[str], listed: str) -> None:
    assert listed == words(language).listed(things)


def test_in_french_no_colon_question_or_semicolon_comes_without_its_space() -> None:
    bare = re.compile(r"(?<![\u00a0(])[:;?!](?!\w)")

    assert [] == [
        text
        for message in catalogue("fr")
        for text in forms(message.string)
        if bare.search(text.replace("J:W", "").replace("2:W", ""))
    ]


def test_an_unknown_language_is_refused_with_the_four_there_are() -> None:
    with pytest.raises(FuggerError, match=r"'xx' is no language.*: expected en, de, fr, hu"):
        words("xx")


@pytest.mark.parametrize(
    ("language", "environment"),
    [
        ("de", {"LANG": "de_AT.UTF-8"}),
        ("hu", {"LC_ALL": "hu", "LANG": "de_DE.UTF-8"}),
        ("fr", {"LC_ALL": "", "LC_MESSAGES": "fr-CA", "LANG": "de_DE"}),
        ("en", {"LANG": "ja_JP.UTF-8"}),
        ("en", {"LC_ALL": "C.UTF-8"}),
        ("en", {}),
    ],
)
def test_the_environment_says_the_language(language: str, environment: dict[str, str]) -> None:
    assert language == default_language(environment)


def test_english_reads_no_catalogue() -> None:
    code = "import sys; from fugger.texts import words; words('en'); print('babel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False\n" == done.stdout


def test_catalogues_are_shipped_with_the_package() -> None:
    assert [] == [
        language
        for language in TRANSLATED
        if not Path(LOCALES / language / "LC_MESSAGES" / "fugger.po").is_file()
    ]
