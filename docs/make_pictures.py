"""Draws `table-desktop.png` and `table-phone.png`, the pictures of a table that the README shows.

``uv run --with pillow docs/make_pictures.py`` draws them anew with the Chromium that is installed.
The seed is fixed, so they stay the same until the page, the dealer or the trader's play changes.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import async_playwright

from fugger.bots import bot_named
from fugger.web import making, play, serving
from fugger.web.app import create_app
from fugger.web.identity import Identity
from fugger.web.settings import Settings

if TYPE_CHECKING:
    from fugger.web.site import Site
    from fugger.web.tables import Table

FOLDER = Path(__file__).parent
SEED = bytes([7]) * 32
ACTIONS = 36
BOT = "trader"
YOU = 0
COLOURS = 256
PICTURES = {
    "table-desktop.png": ({"width": 1280, "height": 800}, "light", False),
    "table-phone.png": ({"width": 360, "height": 740}, "dark", True),
}


async def table_of(site: Site, player: str) -> Table:
    """A table in mid-game, in your turn, with two bots whose play is fixed too."""
    making.new_seed = lambda: SEED
    bots = [("bot", BOT)] * 2
    wish = making.Wish(seats=[("me", ""), *bots], first=0, pause=3600.0)
    table = await making.make(site, wish, player, "Anna", names=[None, "Welser", "Imhof"])
    while table.game.actions_taken < ACTIONS or table.game.player != YOU:
        seat = table.game.player
        action = bot_named(BOT, table.ply).choose(table.game.observe(seat))
        await play.act(site, table, seat, table.ply, int(action), "player" if not seat else "bot")
    return table


async def draw() -> None:
    """Serves the table, and photographs it."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder)))
        listener = serving.listen("127.0.0.1", 0)
        url = f"http://127.0.0.1:{serving.port_of(listener)}"
        ready = asyncio.Event()
        server = serving.Server(app, ready.set)
        running = asyncio.create_task(server.run_until_stopped(listener))
        await ready.wait()
        identity = Identity(app.site.secret, secure=False)
        anna = identity.new_player("Anna")
        table = await table_of(app.site, anna.id)
        cookie = identity.cookie(anna)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, (size, theme, chosen) in PICTURES.items():
                context = await browser.new_context(
                    viewport=size,
                    color_scheme=theme,
                    locale="en",
                    reduced_motion="reduce",
                    device_scale_factor=1,
                )
                await context.add_cookies(
                    [{"name": cookie.key, "value": str(cookie.value), "url": url}]
                )
                page = await context.new_page()
                await page.goto(f"{url}/tables/{table.id}")
                await page.evaluate("document.fonts.ready.then(() => null)")
                if chosen:
                    await page.click(".held label >> nth=0")
                keep(await page.screenshot(animations="disabled"), FOLDER / name)
                await context.close()
            await browser.close()
        server.should_exit = True
        await running


def keep(png: bytes, file: Path) -> None:
    """Keeps a picture in few colours, which makes it small."""
    from PIL import Image  # noqa: PLC0415 (needed to draw them, and nowhere else)

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    asyncio.run(draw())
