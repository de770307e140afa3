"""Builds the program, the helper in tests/benches and the data generator, and runs a command
while measuring its time and memory."""

import functools
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def add_profile(parser):
    parser.add_argument("--profile", default="dist",
                        help="Cargo profile of the build to measure (default: dist)")


@functools.cache
def build_workspace(profile):
    """Builds all binaries of the workspace with a profile and returns their folder."""
    # Releases are built with this feature; plain `cargo build` leaves it out.
    command = ["cargo", "build", "--quiet", "--workspace", "--bins", "--profile", profile,
               "--features", "procurement-lookup/postgresql"]
    subprocess.run(command, cwd=ROOT, check=True)
    return TARGET / ("debug" if profile == "dev" else profile)


def build(profile):
    """Builds the workspace with a profile; returns the paths of the program and of the helper."""
    folder = build_workspace(profile)
    return folder / "procurement-lookup", folder / "bench-helper"


class Run:
    """A finished command and the resources it used: `seconds` of wall-clock time; CPU seconds in
    total (`processor`), in user mode (`outside_kernel`) and of its first thread; peak resident
    memory in MB; bytes read. Also its standard output and its log."""

    def __init__(self, command, log="warn"):
        environment = {**os.environ, "RUST_LOG": log}
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            started = time.monotonic()
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=err)
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            self.seconds = time.monotonic() - started
            counted = Path(f"/proc/{process.pid}/io").read_text().splitlines()
            ran = Path(f"/proc/{process.pid}/task/{process.pid}/schedstat").read_text()
            self.first_thread = int(ran.split()[0]) / 1e9
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.out, self.log = out.read(), err.read()
        if process.returncode != 0:
            sys.exit(f"{command}: status {process.returncode}\n{self.log}")
        self.processor, self.outside_kernel = usage.ru_utime + usage.ru_stime, usage.ru_utime
        self.peak = usage.ru_maxrss / 1000
        self.read = int(dict(line.split(": ") for line in counted)["rchar"])
