"""Compiled code takes time and memory of the server only once there is somebody to think."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SERVER = """
import sys, threading
from pathlib import Path
from running import PATIENCE, Here
from fugger.bots import readiness

def make_table(other):
    seats = [{"kind": "human"}, other]
    assert 201 == server.client.post("/api/tables", json={"seats": seats}).status_code

with Here(Path(sys.argv[1])) as server:
    for thread in threading.enumerate():
        if thread.name == "fugger-compiling":
            thread.join()
    make_table({"kind": "human"})
    print("numba" in sys.modules, readiness.is_ready())
    make_table({"kind": "bot", "level": "banker"})
    print(readiness.wait(PATIENCE))
"""


def test_the_server_loads_compiled_code_for_the_first_table_with_a_bot(tmp_path):
    environment = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"))
    environment["PYTHONPATH"] = str(Path(__file__).parent)
    environment["NUMBA_DISABLE_JIT"] = "1"  # nothing is really compiled, to be done sooner
    ran = subprocess.run(
        [sys.executable, "-c", SERVER, str(tmp_path / "data")],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert ["False False", "True"] == ran.stdout.splitlines()
