"""Measures how fast official documents are imported, and how much memory that takes.

Generates archives of synthetic documents (two notices, four contracts and four contract
procedures in every ten), then measures on the same files:

  reading alone     import --dry-run: unpacking, parsing and extracting facts, on all cores
  the whole import  into a new database
  writing alone     the part of that import in which the writer thread was busy
  its threads       CPU time per document, of the writer thread and of all other threads
  again             the same command a second time, with unchanged archives
  again, by --again the same with --again, which reads and compares every document

For each, prints the time, MB/s of XML, documents/s, peak memory, how many cores it kept busy, and
ratios. Needs disk space: a million documents take about 2.5 GB packed and 3 GB as a database.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .build import Run, add_profile, build


def run_import(program, *arguments):
    """Runs `import`. The returned Run also has `writing`, the number of seconds for which the
    writer was busy."""
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
    """Prints the CPU time of the writer and of the other threads. The writer is the first thread of
    the process; the others read, parse and derive on all cores."""
    writing = run.first_thread * 1e6 / documents
    others = (run.processor - run.first_thread) * 1e6 / documents
    print(
        f"its threads: writing {writing:.1f} µs per document (goal: at most 55), "
        f"all others {others:.1f} µs"
    )
    for cores in (2, 4, 8, 16):
        bound = max(writing, (writing + others) / cores)
        print(
            f"  {cores} cores, if fully used: {1e6 / bound:.0f} documents/s, "
            f"80 million in {bound * 80 / 60:.0f} minutes"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000)
    add_profile(parser)
    args = parser.parse_args()
    program, helper = build(args.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-import-"))
    try:
        bench(args.documents, program, helper, work / "documents", work / "data.sqlite")
    finally:
        shutil.rmtree(work)


def bench(documents, program, helper, folder, database):
    generate = [helper, "documents", folder, str(documents), "1"]
    output = subprocess.run(generate, check=True, capture_output=True, text=True).stdout
    megabytes = int(output.split()[0]) / 1e6
    archives = sorted(folder.glob("*.zip"))
    packed = sum(path.stat().st_size for path in archives) / 1e6
    print(
        f"{documents} documents, {megabytes:.0f} MB of XML, "
        f"{packed:.0f} MB in {len(archives)} archives; {os.cpu_count()} cores"
    )
    for path in archives:  # Every run should find the files in the page cache.
        subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)

    reading = run_import(program, "--dry-run", *archives)
    row("reading alone", reading.seconds, megabytes, documents, reading)
    whole = run_import(program, "--database", database, *archives)
    row("the whole import", whole.seconds, megabytes, documents, whole)
    row("writing alone", whole.writing, megabytes, documents)
    threads(documents, whole)
    again = run_import(program, "--database", database, *archives)
    row("again", again.seconds, megabytes, documents, again)
    compared = run_import(program, "--again", "--database", database, *archives)
    row("again, by --again", compared.seconds, megabytes, documents, compared)
    print(f"database: {database.stat().st_size / 1e6:.0f} MB")
    ratio = whole.seconds / reading.seconds
    print(f"memory of the whole import: {whole.peak:.0f} MB (goal: at most 200)")
    print(f"the whole import / reading alone: {ratio:.2f} (goal: at most 3)")
    print(f"the whole import / again: {whole.seconds / again.seconds:.1f} (goal: at least 5)")
    print(whole.out)
