"""Serving the site: its socket, its database file's one server, a stop that loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn

from fugger.errors import quoted
from fugger.web.app import create_app
from fugger.web.connections import Connection
from fugger.web.settings import ServerError, Settings, make_data_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fugger.web.app import Application

GRACE: Final = 2
"""Seconds that requests under way get when the server is told to stop."""
_BACKLOG: Final = 2048
_SWITCH: Final = 0.0005
"""Seconds a thread may hold the interpreter while another one waits for it."""
_ALLOCATIONS: Final = 20_000
"""Objects made between two searches for dead cycles; Python's 700 are a fraction of one board."""
_FILES: Final = 65_536
"""Open files asked for: every connection is one, and many systems give 1,024."""
_NEARBY: Final = 100
"""Ports tried after the first, when any will do."""


class ServedAlready(ServerError):  # noqa: N818 (it says what is)
    """Another server has the database file open.

    Attributes:
        address: where that server is reached; "" if it hasn't said so yet.
    """

    def __init__(self, file: Path, address: str) -> None:
        at = f" at {address}" if address else ""
        super().__init__(
            f"{file} is served already{at}: stop that server first, "
            "or choose another folder with --data-dir"
        )
        self.address = address


def listen(host: str, port: int, *, or_nearby: bool = False) -> socket.socket:
    """A socket that listens, so that whoever knocks from now on is heard.

    Args:
        host: a name or an address of this machine.
        port: 0 for any free one.
        or_nearby: whether one of the next ports will do if this one is in use.

    Raises:
        ServerError: there is no such address here, or the port is in use or forbidden.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "no name is written like this"
        raise ServerError(f"there is no host {quoted(host)}: {why}") from None
    for number in range(port, min(port + (_NEARBY if or_nearby else 1), 65536)):
        listener = socket.socket(family, kind, protocol)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address[0], number, *address[2:]))
            listener.listen(_BACKLOG)
        except OSError as error:
            listener.close()
            reason = error
        else:
            return listener
    raise ServerError(
        f"{host} port {port} can't be served: {(reason.strerror or str(reason)).lower()}; "
        "choose another one with --port"
    )


def port_of(listener: socket.socket) -> int:
    """The port a socket listens at."""
    return int(listener.getsockname()[1])


def lan_address() -> str:
    """This machine's address in the local network, as well as it can be told."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only asks which of our addresses would be used. The other end
            # is one reserved for documentation.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@contextlib.contextmanager
def only_server(settings: Settings, address: str) -> Iterator[None]:
    """Makes sure that a database file has one server: two would not see each other's moves.

    Raises:
        ServedAlready: it has one.
        ServerError: the folder can't be written.
    """
    if not settings.is_sqlite:
        yield
        return
    make_data_dir(settings.data_dir)
    file = settings.database_file
    try:
        opened = Path(f"{file}.server").open("a+", encoding="utf-8")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise ServerError(f"the database {file} can't be opened: {error.strerror}") from None
    with opened:
        if not _locked(opened.fileno()):
            opened.seek(0)
            raise ServedAlready(file, opened.read().strip())
        opened.truncate(0)
        with contextlib.suppress(OSError):  # a full disk: only the next server's message lacks it
            os.write(opened.fileno(), address.encode())
        yield
        opened.truncate(0)


def serve(
    settings: Settings, listener: socket.socket, ready: Callable[[], None] = lambda: None
) -> None:
    """Serves the site until the process is told to stop (SIGINT, SIGTERM).

    Args:
        settings: what the server is told.
        listener: its socket; closed at the end.
        ready: called once requests are answered.

    Raises:
        ServerError: something is in its way.
    """
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
    # Guests who don't speak HTTP aren't our errors.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    # Whoever thinks in a thread, bots and the database's writer, gives way to the others sooner.
    sys.setswitchinterval(_SWITCH)
    _allow_files()
    app = create_app(settings)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(Server(app, ready).run_until_stopped(listener))


class Server(uvicorn.Server):
    """Uvicorn, with streams that end when it stops.

    Args:
        app: what it serves.
        ready: called once requests are answered.
    """

    def __init__(self, app: Application, ready: Callable[[], None] = lambda: None) -> None:
        self._app = app
        self._ready = ready
        config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            lifespan="off",  # opened below, so that what is in the way is one error, not a log
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=["127.0.0.1", "::1"],
            timeout_graceful_shutdown=GRACE,
        )
        super().__init__(config)

    async def run_until_stopped(self, listener: socket.socket) -> None:
        """Opens the site, serves it, and closes it.

        Raises:
            ServerError: the database can't be opened.
        """
        async with self._app.opened():
            await self.serve(sockets=[listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to answer."""
        await super().startup(sockets)
        # What is there now stays: the collector needn't look through it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends: streams at once, other requests when they are answered."""
        self._app.site.end_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: object) -> None:  # noqa: ARG002 (a signal handler's)
        """Notes that the process was told to stop; told twice it doesn't wait."""
        # Being told to stop is no failure: unlike Uvicorn's own, the signal isn't raised again.
        self.force_exit = self.should_exit
        self.should_exit = True


def _allow_files() -> None:
    """Lets this process have as many connections open as the system allows it."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 (not there on Windows)

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    if sys.platform == "win32":
        return asyncio.new_event_loop
    import uvloop  # noqa: PLC0415 (not there on Windows)

    return uvloop.new_event_loop


def _locked(descriptor: int) -> bool:
    """Locks an open file until it is closed, even by a crash; False if another process has."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 (Windows alone has it)

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 (not there on Windows)

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
