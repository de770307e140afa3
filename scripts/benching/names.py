"""How well and how fast suppliers are found by misspelt names.

Generates contracts of many suppliers, imports them, and searches for names of suppliers drawn by
a seed, each with one mistake in at least one word: a letter more, less or other, or two
neighbours exchanged. Prints the share that is found among the first three hits, and the time of
a search. With --folder the database is kept there, and used again if it is there.
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
    parser.add_argument("--suppliers", type=int, default=500_000)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    add_profile(parser)
    given = parser.parse_args()
    program, helper = build(given.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-names-"))
    try:
        folder = given.folder or work
        database = made(program, given.profile, folder, given.contracts, given.suppliers, given.seed)
        command = [helper, "names", database, str(given.searches), str(given.seed)]
        subprocess.run(command, check=True)
    finally:
        shutil.rmtree(work)
