"""Measures exports of contracts, items, purchases and RNP entries, in full and with a condition.

Prints the number of rows, the time, CPU time and peak memory of each export.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from .build import Run, add_profile, build
from .search import add_generated, make_database

# For each kind of records, a condition that selects a part of them.
CONDITIONS = {
    "contracts": ["--signed-from", "2026-01-01"],
    "items": ["--signed-from", "2026-01-01"],
    "purchases": ["--published-from", "2026-01-01"],
    "rnp": ["--in-force", "true"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    add_generated(parser, purchases=100_000)
    parser.add_argument("--database", type=Path, help="export this file; created if it does not exist")
    args = parser.parse_args()
    program, _ = build(args.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-export-"))
    try:
        database = args.database or work / "export.sqlite"
        if not database.exists():
            make_database(program, args, database)
        for what, condition in CONDITIONS.items():
            for options in ([], condition):
                for format in ("jsonl", "csv"):
                    measure(program, database, ["--what", what, "--format", format, *options])
    finally:
        shutil.rmtree(work)


def measure(program, database, options):
    # `exec` keeps the process id, so the program itself is measured. The rows go straight to
    # /dev/null.
    run = Run(["sh", "-c", 'exec "$@" > /dev/null', "sh",
               program, "export", "--database", database, *options])
    print(f"{' '.join(options)}: {run.log.splitlines()[-1]}; {run.seconds:.1f} s, "
          f"{run.processor:.1f} s of CPU time, {run.peak:.0f} MB", flush=True)
