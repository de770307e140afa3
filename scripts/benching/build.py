"""What is measured, built: the program, the helper of tests/benches, and the generator of
synthetic data."""

import functools
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def add_profile(parser):
    parser.add_argument("--profile", default="dist", help="the build to measure (default: dist)")


def build(profile):
    """The paths of the program and of the helper, built with a profile."""
    folder = built(profile)
    return folder / "procurement-lookup", folder / "bench-helper"


def generate(profile, contracts, suppliers, seed):
    """The command that writes synthetic records to standard output."""
    return [built(profile) / "generate", "--contracts", str(contracts),
            "--suppliers", str(suppliers), "--seed", str(seed)]


@functools.cache
def built(profile):
    """The folder of all programs of the workspace, built with a profile."""
    # With what is not in the default build, but in what is deployed.
    command = ["cargo", "build", "--quiet", "--workspace", "--bins", "--profile", profile,
               "--features", "procurement-lookup/postgresql"]
    subprocess.run(command, cwd=ROOT, check=True)
    return TARGET / ("debug" if profile == "dev" else profile)
