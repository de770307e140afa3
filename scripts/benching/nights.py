"""What an import of the night costs when many nights have been imported.

Makes a folder as fetch leaves it, which grows by 300 archives a night, and imports it after
each night: 30 nights from an empty database, then the same 30 into a database that knows the
archives of 3,000 nights besides, which are registered without having been read. Prints for
the first and the last night of both the time and the bytes read, each beside the copy of the
database, the processor's time outside the kernel, and the peak of memory; then the ratios of
the last to the first. The copy is timed alone: it follows the size of the database, and costs
nothing where the file system clones.
"""

import argparse
import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import zipfile
from datetime import date, timedelta
from pathlib import Path

from .build import ROOT, Run, add_profile, build

# Nights that are imported, archives of one, documents of an archive.
NIGHTS, ARCHIVES, DOCUMENTS = 30, 300, 20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    given = parser.parse_args()
    program, _ = build(given.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-nights-"))
    try:
        first = None
        for known in (0, 3000):
            folder = work / str(known)
            nights = run(program, folder, known)
            first = first or nights[0]
            show(f"{known} nights known, the first", nights[0])
            show(f"{known} nights known, the last", nights[-1])
            for what, of in (("that first", nights[0]), ("the very first", first)):
                time, read, processor = (nights[-1][at] / of[at] for at in range(3))
                print(
                    f"the last to {what}: time {time:.2f}, bytes read {read:.2f}, "
                    f"processor {processor:.2f} (goal: at most 1.2)"
                )
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(work)


def show(what, night):
    seconds, read, processor, peak, copying = night
    print(
        f"{what:32} {seconds:6.2f} s beside {copying:5.2f} s of copying, {processor:5.2f} s of processor "
        f"{read / 1e6:8.1f} MB read {peak:6.0f} MB of memory",
        flush=True,
    )


def run(program, folder, known):
    """Imports after each night: seconds, bytes read, seconds of the processor, peak of memory in
    MB, seconds of copying, of each."""
    documents, database = folder / "documents", folder / "data.sqlite"
    template = (ROOT / "data/documents/contract.xml").read_text()
    measured, number = [], 0
    for night in range(NIGHTS):
        signed = str(date(2026, 1, 1) + timedelta(days=night))
        day = documents / signed
        day.mkdir(parents=True)
        for archive in range(ARCHIVES):
            with zipfile.ZipFile(day / f"{archive}.zip", "w", zipfile.ZIP_DEFLATED) as out:
                for document in range(DOCUMENTS):
                    number += 1
                    of = customer(archive)
                    out.writestr(f"{document}.xml", contract(template, number, signed, of))
        if known and night == 0:
            register(program, documents, database, known * ARCHIVES)
        measured.append(imported(program, database, documents))
    return measured


def customer(archive):
    """The INN of the customer of an archive's contracts, with its control digit."""
    digits = f"960100{archive:03}"
    weights = (2, 4, 10, 3, 5, 9, 4, 6, 8)
    control = sum(weight * int(digit) for weight, digit in zip(weights, digits)) % 11 % 10
    return f"{digits}{control}"


def contract(template, number, signed, inn):
    """A contract with numbers of its own, signed on a day, of the customer with this INN."""
    values = {
        "2025-09-26": signed,
        "9601001245": inn,
        "0396300012425000311": f"0396300012{number:09}",
        "3960100124525000311": f"3960100124{number:09}",
    }
    for old, new in values.items():
        template = template.replace(old, new)
    return template


def imported(program, database, documents):
    copied = database.stat().st_size if database.exists() else 0
    copying = copy_seconds(database) if copied else 0.0
    run = Run([program, "import", "--database", database, documents])
    return run.seconds - copying, run.read - copied, run.outside_kernel, run.peak, copying


def copy_seconds(database):
    """How long it takes to copy the database, and to have the copy on the disk."""
    copy = database.with_name("copy")
    started = time.monotonic()
    shutil.copyfile(database, copy)
    with open(copy, "rb+") as file:
        os.fsync(file.fileno())
    seconds = time.monotonic() - started
    copy.unlink()
    return seconds


def night_name(index):
    """A name as src/store/archives.rs makes it: that of a folder, then that of a file."""
    folder = hashlib.sha256(str(index // ARCHIVES).encode()).digest()
    return folder[:8] + hashlib.sha256(str(index).encode()).digest()[:8]


def register(program, documents, database, count):
    """Makes a database that knows so many archives, none of which it has read."""
    empty = documents.parent / "empty"
    empty.mkdir()
    line = '{"type":"supplier","supplier":{"inn":"9602003012","name":"x"}}\n'
    (empty / "x.jsonl").write_text(line)
    subprocess.run([program, "import", "--database", database, empty], check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(database) as file:
        rows = (
            (night_name(index), 40_000 + index % 90_000, index + 1, os.urandom(32), b'{"documents":{"contract":20}}')
            for index in range(count)
        )
        file.executemany("INSERT INTO archive VALUES (?, ?, ?, ?, 0, ?, 0, 0)", rows)
    file.close()
