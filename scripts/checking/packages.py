#!/usr/bin/env python3
"""Virtual environments for the checks. Run as a program, installs requirements.txt in target/python,
which most checks share, and prints the path of its Python.

    scripts/checking/packages.py
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target")).resolve()


def install(folder="python", requirements="requirements.txt"):
    """Installs a file of requirements in a virtual environment in target/FOLDER, unless it is installed
    already. Returns the path of its Python."""
    place, wanted = TARGET / folder, (HERE / requirements).read_text()
    python, installed = place / "bin/python", place / "installed.txt"
    place.mkdir(parents=True, exist_ok=True)
    # Checks that start at the same time wait for the first one to install the packages.
    with open(TARGET / f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_text() != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
            # --no-compile: Python compiles only the modules that it imports.
            subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install",
                            "--no-compile", "-r", HERE / requirements], check=True)
            installed.write_text(wanted)
    return python


def with_packages(*options):
    """Restarts the script in the environment that `install` returns for these options."""
    python = install(*options)
    if Path(sys.prefix).resolve() != python.parent.parent:
        os.execv(python, [python, *sys.argv])


if __name__ == "__main__":
    print(install())
