"""What it costs that an import makes the data file anew.

Generates a database of so many contracts, then, in one run over the same disk:

  copying            the file copied and synced
  documents          an import of a few synthetic documents into it: its time, and that
                     over the time of copying
  the same again     which changes nothing, and leaves the file

Times are medians of the rounds. Needs some 8 GB of disk.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from .build import add_profile, build, generate


def timed(command):
    started = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - started


def bring_in(given, database, *paths):
    return [given.program, "import", "--database", database, *paths]


def copied(database, copy):
    started = time.monotonic()
    with open(database, "rb") as source, open(copy, "wb") as target:
        shutil.copyfileobj(source, target, 1 << 22)
        target.flush()
        os.fsync(target.fileno())
    seconds = time.monotonic() - started
    copy.unlink()
    return seconds


def replaced(work, given):
    lines, database = work / "lines.jsonl", work / "data.sqlite"
    if not database.exists():
        with open(lines, "wb") as out:
            command = generate(given.profile, given.contracts, given.contracts // 20, 1)
            subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
        timed(bring_in(given, database, lines))
        lines.unlink()
    copies, imports, again = [], [], []
    for number in range(given.rounds):
        documents = work / f"documents-{number}"
        timed([given.helper, "documents", documents, str(given.documents), str(number + 1)])
        copies.append(copied(database, work / "copy"))
        imports.append(timed(bring_in(given, database, documents)))
        again.append(timed(bring_in(given, database, documents, "--again")))
        shutil.rmtree(documents)
    copy, into, same = map(statistics.median, (copies, imports, again))
    megabytes = database.stat().st_size / 1e6
    print(f"copying {megabytes:,.0f} MB, and syncing it: {copy:.2f} s")
    print(f"{given.documents:,} documents into it: {into:.2f} s, {into / copy:.2f} times that")
    print(f"the same again, of which nothing is new: {same:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="instead of a temporary one")
    add_profile(parser)
    given = parser.parse_args()
    given.program, given.helper = build(given.profile)
    with tempfile.TemporaryDirectory(dir=given.folder) as work:
        replaced(Path(work), given)
