"""How fast official documents are taken in, and in how much memory.

Makes archives of synthetic documents (two notices to four contracts to four
procedures), then, in one run and over the same files:

  reading alone     import --dry-run: unpacked, parsed, read into facts, on all cores
  the whole import  into a new database
  writing alone     of that import, the time in which the writing thread was at work
  its threads       processor time of the writing thread, and of all others, a document
  again             the same command a second time: unchanged archives
  again, by --again the same, with every document read and compared

and prints for each the time, MB/s (of XML) and documents/s, the peak of memory, how many
cores it kept busy, and the ratios. Needs the room: a million documents are about 2.5 GB packed,
and 3 GB as a database.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .build import Run, add_profile, build


def imported(program, *arguments):
    """A run of an import, and its seconds of writing."""
    run = Run([program, "import", *arguments], log="procurement_lookup=debug")
    run.writing = float(re.search(r"writing took (\d+) ms", run.log).group(1)) / 1000
    return run


def row(what, seconds, megabytes, documents, run=None):
    beside = f"{run.peak:5.0f} MB  {run.processor / seconds:.2f} cores" if run else ""
    print(
        f"{what:20} {seconds:8.2f} s {megabytes / seconds:8.0f} MB/s "
        f"{documents / seconds:10.0f} documents/s  {beside}",
        flush=True,
    )


def threads(documents, run):
    """The shares of the threads. The writing one is the first of the process; all others read,
    parse and derive on as many cores as there are."""
    writing = run.first_thread * 1e6 / documents
    others = (run.processor - run.first_thread) * 1e6 / documents
    print(
        f"its threads: writing {writing:.1f} µs a document (goal: at most 55), "
        f"all others {others:.1f} µs"
    )
    for cores in (2, 4, 8, 16):
        bound = max(writing, (writing + others) / cores)
        print(
            f"  {cores} cores, if all are kept busy: {1e6 / bound:.0f} documents/s, "
            f"80 million in {bound * 80 / 60:.0f} minutes"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000)
    add_profile(parser)
    given = parser.parse_args()
    program, helper = build(given.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-import-"))
    try:
        bench(given.documents, program, helper, work / "documents", work / "data.sqlite")
    finally:
        shutil.rmtree(work)


def bench(documents, program, helper, folder, database):
    made = [helper, "documents", folder, str(documents), "1"]
    output = subprocess.run(made, check=True, capture_output=True, text=True).stdout
    megabytes = int(output.split()[0]) / 1e6
    archives = sorted(folder.glob("*.zip"))
    packed = sum(path.stat().st_size for path in archives) / 1e6
    print(
        f"{documents} documents, {megabytes:.0f} MB of XML, "
        f"{packed:.0f} MB in {len(archives)} archives; {os.cpu_count()} cores"
    )
    for path in archives:  # The same for all: the files are in the page cache.
        subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)

    reading = imported(program, "--dry-run", *archives)
    row("reading alone", reading.seconds, megabytes, documents, reading)
    whole = imported(program, "--database", database, *archives)
    row("the whole import", whole.seconds, megabytes, documents, whole)
    row("writing alone", whole.writing, megabytes, documents)
    threads(documents, whole)
    again = imported(program, "--database", database, *archives)
    row("again", again.seconds, megabytes, documents, again)
    compared = imported(program, "--again", "--database", database, *archives)
    row("again, by --again", compared.seconds, megabytes, documents, compared)
    print(f"database: {database.stat().st_size / 1e6:.0f} MB")
    ratio = whole.seconds / reading.seconds
    print(f"memory of the whole import: {whole.peak:.0f} MB (goal: at most 200)")
    print(f"the whole, to reading alone: {ratio:.2f} (goal: at most 3)")
    print(f"the whole, to again: {whole.seconds / again.seconds:.1f} (goal: at least 5)")
    print(whole.out)
