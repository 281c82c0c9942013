"""Guests of the site: a browser profile with a page, which notes whatever goes wrong there."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
PATIENCE = 30_000
"""Milliseconds after which something that should happen is given up; far more than it takes."""
_STATUS = re.compile(r"the server responded with a status of (\d+)")


class Guest:
    """Somebody with a browser.

    Args:
        browser: the program.
        url: the site's address.
        size: the window's.
        language: the browser's.
        moving: whether things may move from place to place.
        options: of the browser profile, as Playwright names them.

    Attributes:
        page: the first tab.
        troubles: errors on the console and of scripts, requests that failed or left the site.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: dict[str, int] = DESKTOP,
        language: str = "en",
        *,
        moving: bool = False,
        **options: object,
    ) -> None:
        self.url = url
        self.touches = size is PHONE
        self.troubles: list[str] = []
        self._expected: set[int] = set()
        self._is_down = False
        self.context = browser.new_context(
            base_url=url,
            viewport=size,
            has_touch=self.touches,
            locale=language,
            reduced_motion="no-preference" if moving else "reduce",
            **options,
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self._note("script", error.error))
        self.context.on("request", self._on_request)
        self.context.on("requestfailed", self._on_failure)
        self.context.on("response", self._on_response)
        self.page = self.tab()

    def tab(self) -> Page:
        """One more tab."""
        return self.context.new_page()

    def open(self, path: str = "/") -> Page:
        """The first tab, at a page of the site."""
        self.page.goto(path)
        return self.page

    def press(self, what: Locator) -> None:
        """Taps or clicks something."""
        if self.touches:
            what.tap()
        else:
            what.click()

    def expects(self, *statuses: int) -> None:
        """From now on answers of these statuses are no trouble."""
        self._expected |= set(statuses)

    @contextlib.contextmanager
    def line_down(self) -> Iterator[None]:
        """While requests can't but fail."""
        self._is_down = True
        yield
        self._is_down = False

    def _note(self, kind: str, what: object) -> None:
        self.troubles.append(f"{kind}: {what}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        status = _STATUS.search(message.text)
        expected = int(status[1]) in self._expected if status else self._is_down
        if not expected:
            self._note("console", f"{message.text} {message.location}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:")):
            self._note("left the site", request.url)

    def _on_failure(self, request: Request) -> None:
        # A page that is left lets go of what it was loading; a download is no part of the page.
        let_go = request.failure == "net::ERR_ABORTED" and (
            request.method == "GET" or request.is_navigation_request()
        )
        if not (let_go or self._is_down):
            self._note("request failed", f"{request.failure} {request.url}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self._expected:
            self._note("answer", f"{response.status} {response.url}")
