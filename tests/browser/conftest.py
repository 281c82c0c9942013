"""A real server and a real browser, and guests who notice everything that goes wrong."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright
from running import Process

from .guests import Guest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BOT_PAUSE = "0.02"


def chromium_program() -> str:
    """The installed Chromium."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(
            f"no Chromium is installed (looked for {', '.join(NAMES)}): install the package "
            "chromium, as in «apt-get install chromium»",
            pytrace=False,
        )
    return found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server whose bots hardly pause, and which has nothing to complain of in the end."""
    with Process(tmp_path_factory.mktemp("site"), "--bot-pause", BOT_PAUSE) as server:
        yield server
        assert "" == server.complaints()


# Of the package alone: Playwright's event loop stays in the thread, where others couldn't run one.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser."""
    program = chromium_program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def guest(site: Process, chromium: Browser) -> Iterator[Callable[..., Guest]]:
    """Makes guests, each with a browser profile of its own; none may have had any trouble."""
    guests: list[Guest] = []

    def new(url: str = site.url, **options: object) -> Guest:
        guests.append(Guest(chromium, url, **options))
        return guests[-1]

    yield new
    for one in guests:
        one.context.close()
    assert [] == [trouble for one in guests for trouble in one.troubles]


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker's script."""
    script = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        pytest.fail(
            "axe-core isn't there: remove src/fugger/web/static/vendor, then run "
            "«uv sync --reinstall-package fugger»",
            pytrace=False,
        )
    return script.read_text(encoding="utf-8")
