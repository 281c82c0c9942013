"""The texts people read, in four languages: English in the source, the others from catalogues.

The catalogues are gettext files, `locales/LANGUAGE/LC_MESSAGES/fugger.po`, read when a language is
first wanted: there is nothing to build. Texts are marked by the calls that look them up,
`Words.say` and `Words.say_number`; `docs/update_translations.py` brings the catalogues up to date.
"""

from __future__ import annotations

import gettext
import io
import os
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fugger.errors import FuggerError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {"en": "English", "de": "Deutsch", "fr": "français", "hu": "magyar"}
)
"""The languages, by code, as their speakers call them."""

_LISTS: Final[Mapping[str, str]] = MappingProxyType({"en": "en_GB"})
"""Whose lists are written as in a certain country: in English without a comma before «and»."""

LOCALES: Final = Path(__file__).parent / "locales"
"""Where the catalogues are."""


class Words:
    """The texts of one language.

    Args:
        language: its code.
        translations: its catalogue.
    """

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations

    def say(self, message: str, **values: object) -> str:
        """A text with its ``{placeholders}`` filled in."""
        text = self._translations.gettext(message)
        return text.format(**values) if values else text

    def say_number(self, one: str, many: str, number: int, **values: object) -> str:
        """A text about a number of things, in the form the language uses for that ``{number}``."""
        text = self._translations.ngettext(one, many, number)
        return text.format(number=number, **values)

    def listed(self, things: Iterable[str]) -> str:
        """Things in a sentence: ``copper, cloth and wine``."""
        return _listed(_LISTS.get(self.language, self.language), tuple(things))


@lru_cache(maxsize=4096)
def _listed(locale: str, things: tuple[str, ...]) -> str:
    # Imported here: it takes as long as the rest of a command's start.
    from babel.lists import format_list  # noqa: PLC0415

    return format_list(things, locale=locale)


@cache
def words(language: str = "en") -> Words:
    """The texts of a language, by its code.

    Raises:
        FuggerError: there are none.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise FuggerError(f"{quoted(language)} is no language of this program: expected {known}")
    if language == "en":
        return Words(language, gettext.NullTranslations())
    return Words(language, _catalogue(LOCALES / language / "LC_MESSAGES" / "fugger.po"))


def default_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for; English if it asks for another than ours."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            language = environment[variable].replace("-", "_").split("_")[0].split(".")[0].lower()
            return language if language in LANGUAGES else "en"
    return "en"


def _catalogue(path: Path) -> gettext.GNUTranslations:
    # Imported here: English needs none of it.
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415

    with path.open("rb") as file:
        catalogue = read_po(file)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
