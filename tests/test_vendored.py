"""The site's files from npm: locked, from the public registry, and inside the wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
UV = os.environ.get("UV") or shutil.which("uv") or "uv"


def build(root: Path, to: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [UV, "build", "--wheel", "--out-dir", str(to), str(root)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def copied(to: Path) -> Path:
    """A checkout without anything that git ignores, as small as it can be built."""
    to.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, to)
    shutil.copy(ROOT / "README.md", to)
    shutil.copy(ROOT / "LICENSE", to)
    (to / "src/fugger").mkdir(parents=True)
    shutil.copy(ROOT / "src/fugger/__init__.py", to / "src/fugger")
    return to


def test_the_lock_file_names_the_public_registry_alone():
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages = {name: one for name, one in lock["packages"].items() if name}

    assert {"registry.npmjs.org"} == {urlsplit(one["resolved"]).netloc for one in packages.values()}
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())


def test_versions_are_pinned():
    package = json.loads((ROOT / "package.json").read_text())
    versions = {**package["dependencies"], **package["devDependencies"]}

    assert [] == [name for name, version in versions.items() if not version[0].isdigit()]


def test_a_fresh_checkouts_wheel_holds_the_files_and_their_licences(tmp_path):
    done = build(copied(tmp_path / "checkout"), tmp_path)

    assert 0 == done.returncode, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if "/vendor/" in name}
    assert names == {
        "from-lock.txt",
        "grenze-gotisch-LICENSE.txt",
        "grenze-gotisch-latin-600.woff2",
        "grenze-gotisch-latin-ext-600.woff2",
        "htmx-LICENSE.txt",
        "htmx.min.js",
        "hx-csp.min.js",
        "hx-sse.min.js",
    }


def test_a_build_says_what_npm_said_when_it_failed(tmp_path):
    checkout = copied(tmp_path / "checkout")
    package = json.loads((checkout / "package.json").read_text())
    package["dependencies"]["htmx.org"] = "4.0.0"  # not what the lock file says
    (checkout / "package.json").write_text(json.dumps(package))

    done = build(checkout, tmp_path)

    assert 0 != done.returncode
    assert "npm couldn't install the site's packages (package-lock.json)" in done.stderr
    assert "htmx.org@4.0.1" in done.stderr
