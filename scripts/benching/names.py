"""How well and how fast suppliers are found by misspelt names.

Generates a million contracts of 500,000 suppliers, imports them, and searches for 2,000 names of
suppliers drawn by a seed, each with one mistake in at least one word: a letter more, less or
other, or two neighbours exchanged. Prints the share that is found among the first three hits,
and the time of a search.
"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from .build import add_profile, build
from .data import made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    given = parser.parse_args()
    program, helper = build(given.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-names-"))
    try:
        database = made(program, given.profile, work, 1_000_000, 500_000)
        subprocess.run([helper, "names", database, "2000", "1"], check=True)
    finally:
        shutil.rmtree(work)
