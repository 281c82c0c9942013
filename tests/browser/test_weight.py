"""How much a first visit to a table brings over the wire."""

from __future__ import annotations

from running import make

from .guests import PHONE
from .playing import sit_down

LIMIT = 200_000


def test_the_first_load_of_a_table_is_light(guest, site):
    [_, program] = make(site.client, "oh", first=0)
    ann, again = guest(size=PHONE, language="hu"), guest(size=PHONE, language="hu")
    sit_down(again, f"{site.url}/tables/{program.table}")
    ann.context.add_cookies(again.context.cookies())
    again.page.close()
    wire = ann.context.new_cdp_session(ann.page)
    sizes: dict[str, int] = {}
    wire.on("Network.dataReceived", lambda got: count(sizes, got, got["encodedDataLength"]))
    wire.on("Network.loadingFinished", lambda got: total(sizes, got))
    wire.send("Network.enable")
    ann.page.goto(f"{site.url}/tables/{program.table}")
    ann.page.evaluate("document.fonts.ready.then(() => null)")
    ann.page.wait_for_load_state()

    assert 8 < len(sizes)
    assert LIMIT > sum(sizes.values())


def count(sizes, got, number):
    """Adds what has come of an answer that goes on, as a stream does."""
    sizes[got["requestId"]] = sizes.get(got["requestId"], 0) + number


def total(sizes, got):
    """Takes the whole size of an answer, its headers too."""
    sizes[got["requestId"]] = int(got["encodedDataLength"])
