"""Brings the catalogues up to date with the texts in the source.

``uv run docs/update_translations.py`` adds new texts, empty, and drops those that are gone; then
fill in the empty ones in `src/fugger/locales/*/LC_MESSAGES/fugger.po`. A test fails on what is
missing, doubtful, or has other placeholders than the English text.
"""

from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from fugger.texts import LANGUAGES, LOCALES

SOURCE = LOCALES.parent
KEYWORDS = {"say": None, "say_number": (1, 2)}
"""The calls that mark a text: `Words.say` and `Words.say_number`."""
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""Stands for the time of the last change, which Git knows better."""


def texts() -> Catalog:
    """Every text of the source, with the files it is in."""
    template = Catalog(project="fugger", charset="utf-8")
    found = extract_from_dir(
        SOURCE,
        [("**.py", "python"), ("web/templates/**.html", "jinja2")],
        keywords=KEYWORDS,
        strip_comment_tags=True,
    )
    for file, line, message, _, _ in sorted(found, key=lambda text: text[:2]):
        template.add(message, locations=[(file, line)])
    return template


def update(path: Path, language: str) -> None:
    """Rewrites a catalogue."""
    old = Catalog()
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    new = Catalog(
        locale=language,
        project="fugger",
        version="1",
        creation_date=NO_TIME,
        revision_date=NO_TIME,
        last_translator="the fugger maintainers",
        language_team=LANGUAGES[language],
        charset="utf-8",
        fuzzy=False,
        header_comment=f"# The texts of fugger in {LANGUAGES[language]}.",
    )
    for message in texts():
        if message.id:
            known = old.get(message.id[0] if isinstance(message.id, tuple) else message.id)
            string = known.string if known is not None else None
            new.add(message.id, string, locations=message.locations)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, width=100, include_lineno=False)


if __name__ == "__main__":
    for code in LANGUAGES:
        if code != "en":
            update(LOCALES / code / "LC_MESSAGES" / "fugger.po", code)
