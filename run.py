"""Everything a fresh checkout needs, with nothing but Python: sets itself up and runs.

python3 run.py          plays the game: starts the site on this computer, opens the browser
python3 run.py test     runs every test
python3 run.py check    formatting, lint, types, imports, examples in the docs
python3 run.py fugger   any `fugger` command: python3 run.py fugger play
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
TOOLS = ROOT / ".tools"
"""Where uv goes if this machine has none."""

CHECKS = (
    ("ruff", "format", "--check"),
    ("ruff", "check"),
    ("mypy",),
    ("lint-imports",),
    (
        *("pytest", "--quiet", "--doctest-modules", "--doctest-glob=*.md"),
        *("--ignore-glob=*/migrations/*", "src", "docs", "README.md"),  # Alembic runs those
    ),
)


def uv() -> str:
    """The uv program; installed into this folder if the machine has none."""
    own = TOOLS / ("Scripts" if os.name == "nt" else "bin") / "uv"
    own = own.with_suffix(".exe") if os.name == "nt" else own
    found = shutil.which("uv") or (str(own) if own.exists() else None)
    if found:
        return found
    print("Installing uv …", flush=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(TOOLS), "uv"]
    if subprocess.run(command, check=False).returncode or not own.exists():
        sys.exit("uv could not be installed: see docs.astral.sh/uv, then try again")
    return str(own)


def set_up() -> None:
    """Brings the project's environment up to date; shows how it goes only when it is new."""
    quiet = ["--quiet"] if (ROOT / ".venv").exists() else []
    if code := subprocess.run([uv(), "sync", "--locked", *quiet], cwd=ROOT, check=False).returncode:
        sys.exit(code)


def run(*command: str) -> int:
    """Runs a command of the project's environment; its exit code."""
    try:
        return subprocess.run(
            [uv(), "run", "--no-sync", *command], cwd=ROOT, check=False
        ).returncode
    except KeyboardInterrupt:
        return 130


def main() -> int:
    """Does what the words ask for; the exit code."""
    what, *options = sys.argv[1:] or ["fugger"]
    if what not in {"fugger", "test", "check"}:
        print(__doc__)
        return 0 if what in {"help", "-h", "--help"} else 2
    set_up()
    if what == "fugger":
        return run("fugger", *options)
    if what == "test":
        return run("pytest", "--numprocesses=auto", *options)
    return max(run(*command) for command in CHECKS)


if __name__ == "__main__":
    sys.exit(main())
