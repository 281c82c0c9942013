"""``fugger serve``: the site, for this computer, a group or the whole world."""

from __future__ import annotations

import math
import os
import re
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from fugger.errors import FuggerError, quoted

PORT: Final = 8484
HOST: Final = "127.0.0.1"

_EPILOG: Final = """\b
Examples:
  fugger                                         on this computer, and opens the browser
  fugger serve --lan                             for phones on the same network
  fugger serve --public-url https://play.example behind a proxy that speaks https
  fugger serve --database postgresql://fugger@db/fugger

\b
Exit codes: 0 stopped by Ctrl-C or SIGTERM, 2 something is in the way: a port in use, a database
that can't be opened, a data folder that can't be written.
"""


@click.command(epilog=_EPILOG)
@click.option("--host", default=None, help=f"Address to listen at.  [default: {HOST}]")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen at; 0 for any free one.",
)
@click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: a file in the data folder]",
)
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the secret key and the database.  [default: your own data folder]",
)
@click.option("--public-url", metavar="URL", help="Where others reach the site, if it isn't here.")
@click.option(
    "--lan", is_flag=True, help="Serve the local network; prints the address and a QR code of it."
)
@click.option(
    "--bot-pause",
    type=click.FloatRange(0, 10),
    default=0.9,
    show_default=True,
    help="Seconds a bot waits before it acts, so that people can follow.",
)
def command(  # noqa: PLR0913, PLR0917 (one parameter for each option)
    host: str | None,
    port: int,
    database: str | None,
    data_dir: Path | None,
    public_url: str | None,
    lan: bool,
    bot_pause: float,
) -> None:
    """Serve the site until stopped by Ctrl-C.

    All that must last is in the data folder: the secret key that signs everybody's cookies, and
    the SQLite database unless another one is named. Every action is on the disk before it is
    shown, so the server may be stopped, or die, at any moment.
    """
    if math.isnan(bot_pause):
        raise click.BadParameter("nan is not in the range 0<=x<=10", param_hint="'--bot-pause'")
    if lan and host is not None:
        raise click.UsageError("--lan listens at every address: leave --host out")
    run(
        host=host or ("0.0.0.0" if lan else HOST),  # noqa: S104 (that is what --lan asks for)
        port=port,
        database=database,
        data_dir=data_dir,
        public_url=public_url,
        lan=lan,
        bot_pause=bot_pause,
    )


def run(  # noqa: PLR0913 (the command's options)
    *,
    host: str = HOST,
    port: int = PORT,
    database: str | None = None,
    data_dir: Path | None = None,
    public_url: str | None = None,
    lan: bool = False,
    bot_pause: float = 0.9,
    at_home: bool = False,
) -> None:
    """Serves the site.

    Args:
        host: address to listen at.
        port: port to listen at.
        database: its URL; None for a file in the data folder.
        data_dir: None for this user's own.
        public_url: where others reach the site.
        lan: whether to show the address in the local network.
        bot_pause: seconds a bot waits before it acts.
        at_home: for whoever sits at this computer: any free port will do, and the browser is
            opened, at a server that runs already if there is one.

    Raises:
        FuggerError: something is in the way.
    """
    from fugger.web import serving
    from fugger.web.settings import Settings, default_data_dir

    if public_url is not None:
        public_url = _checked_url(public_url)
    settings = Settings(
        data_dir=data_dir or default_data_dir(),
        database=database,
        public_url=public_url,
        secure=public_url is not None and public_url.startswith("https:"),
        bot_pause=bot_pause,
    )
    with serving.listen(host, port, or_nearby=at_home) as listener:
        shown = serving.lan_address() if lan else f"[{host}]" if ":" in host else host
        address = public_url or f"http://{shown}:{serving.port_of(listener)}"

        def ready() -> None:
            click.echo(f"fugger is at {address} (Ctrl-C stops it)")
            if lan:
                _print_qr_code(address)
            if at_home:
                _open_browser(address)

        try:
            with serving.only_server(settings, address):
                serving.serve(settings, listener, ready)
        except serving.ServedAlready as error:
            if not (at_home and error.address):
                raise
            click.echo(f"fugger is at {error.address} already")
            _open_browser(error.address, wait=True)


def _checked_url(text: str) -> str:
    """A public URL without a slash at the end.

    Raises:
        FuggerError: it isn't one.
    """
    try:
        url = urlsplit(text)
        host = url.hostname or ""
        default = {"http": 80, "https": 443}.get(url.scheme)
        port = url.port or default
        # Written as a page's origin is, which posts are compared with.
        good = default and re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:.]+", host) and url.port != 0
    except ValueError:
        good = False
    if not good or url.path.strip("/") or url.query or url.fragment or url.username:
        raise FuggerError(
            f"the public URL is {quoted(text)}: expected http(s)://HOST or http(s)://HOST:PORT"
        )
    shown = f"[{host}]" if ":" in host else host
    return f"{url.scheme}://{shown}" + ("" if port == default else f":{port}")


def _print_qr_code(address: str) -> None:
    import segno

    segno.make_qr(address, error="l").terminal(compact=True)


def _open_browser(address: str, *, wait: bool = False) -> None:
    """Opens the browser, if this computer has one with a window."""
    windowed = sys.platform in {"win32", "darwin"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if not windowed:
        return  # what is left would be a text browser, which takes the terminal over
    # In a thread, since some browsers are waited for.
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    if wait:
        opening.join(5)
