"""What is measured, built: the program, the helper of tests/benches, and the generator of
synthetic data; and how their processes are run."""

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
    parser.add_argument("--profile", default="dist", help="the build to measure (default: dist)")


@functools.cache
def built(profile):
    """The folder of all programs of the workspace, built with a profile."""
    # With what is not in the default build, but in what is deployed.
    command = ["cargo", "build", "--quiet", "--workspace", "--bins", "--profile", profile,
               "--features", "procurement-lookup/postgresql"]
    subprocess.run(command, cwd=ROOT, check=True)
    return TARGET / ("debug" if profile == "dev" else profile)


def build(profile):
    """The paths of the program and of the helper, built with a profile."""
    folder = built(profile)
    return folder / "procurement-lookup", folder / "bench-helper"


class Run:
    """A command that was run to its end: seconds, seconds of processor time in all, of its first
    thread and outside the kernel, peak of memory in MB, bytes read, what it printed and what it
    logged."""

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
