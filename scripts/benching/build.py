"""What is measured, built: the program, and the helper of tests/benches."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def add_profile(parser):
    parser.add_argument("--profile", default="dist", help="the build to measure (default: dist)")


def build(profile):
    """The paths of the program and of the helper, built with a profile."""
    # With what is not in the default build, but in what is deployed.
    command = ["cargo", "build", "--quiet", "--workspace", "--bins", "--profile", profile,
               "--features", "procurement-lookup/postgresql"]
    subprocess.run(command, cwd=ROOT, check=True)
    folder = TARGET / ("debug" if profile == "dev" else profile)
    return folder / "procurement-lookup", folder / "bench-helper"
