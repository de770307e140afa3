"""Measures what a nightly import costs after thousands of earlier ones.

Simulates a folder of downloads that grows by 300 archives a night, and imports it after each night:
30 nights into an empty database, then the same 30 into a database that also lists the archives of
3,000 earlier nights, which were never really imported. Prints, for the first and the last night of
both: time and bytes read, not counting the copy of the database; user CPU time; and peak memory.
Then the ratios of the last night to the first. The copy is timed separately: its cost grows with the
database, and is nothing on file systems that can clone files.
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

# Number of nights to import, archives per night, and documents per archive.
NIGHTS, ARCHIVES, DOCUMENTS = 30, 300, 20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    args = parser.parse_args()
    program, _ = build(args.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-nights-"))
    try:
        first = None
        for known in (0, 3000):
            folder = work / str(known)
            nights = run(program, folder, known)
            first = first or nights[0]
            show(f"{known} earlier nights, the first", nights[0])
            show(f"{known} earlier nights, the last", nights[-1])
            for what, of in (("the first", nights[0]), ("the first into an empty database", first)):
                time, read, processor = (nights[-1][at] / of[at] for at in range(3))
                print(
                    f"the last / {what}: time {time:.2f}, bytes read {read:.2f}, "
                    f"user CPU {processor:.2f} (goal: at most 1.2)"
                )
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(work)


def show(what, night):
    seconds, read, processor, peak, copying = night
    print(
        f"{what:32} {seconds:6.2f} s plus {copying:5.2f} s of copying, {processor:5.2f} s of user CPU "
        f"{read / 1e6:8.1f} MB read {peak:6.0f} MB of memory",
        flush=True,
    )


def run(program, folder, known):
    """Imports after each night. Returns for each night: seconds and bytes read (both without
    copying the database), user CPU seconds, peak memory in MB, seconds of copying."""
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
            list_archives(program, documents, database, known * ARCHIVES)
        measured.append(measure_import(program, database, documents))
    return measured


def customer(archive):
    """Returns the customer's INN for the contracts of an archive, with a valid check digit."""
    digits = f"960100{archive:03}"
    weights = (2, 4, 10, 3, 5, 9, 4, 6, 8)
    control = sum(weight * int(digit) for weight, digit in zip(weights, digits)) % 11 % 10
    return f"{digits}{control}"


def contract(template, number, signed, inn):
    """Returns the contract in `template` with different numbers, signing date and customer INN."""
    values = {
        "2025-09-26": signed,
        "9601001245": inn,
        "0396300012425000311": f"0396300012{number:09}",
        "3960100124525000311": f"3960100124{number:09}",
    }
    for old, new in values.items():
        template = template.replace(old, new)
    return template


def measure_import(program, database, documents):
    copied = database.stat().st_size if database.exists() else 0
    copying = copy_seconds(database) if copied else 0.0
    run = Run([program, "import", "--database", database, documents])
    return run.seconds - copying, run.read - copied, run.outside_kernel, run.peak, copying


def copy_seconds(database):
    """Returns how many seconds it takes to copy the database, including fsync."""
    copy = database.with_name("copy")
    started = time.monotonic()
    shutil.copyfile(database, copy)
    with open(copy, "rb+") as file:
        os.fsync(file.fileno())
    seconds = time.monotonic() - started
    copy.unlink()
    return seconds


def night_name(index):
    """Returns the name under which an archive is recorded, computed as in src/store/archives.rs: a
    hash of the folder, then a hash of the file."""
    folder = hashlib.sha256(str(index // ARCHIVES).encode()).digest()
    return folder[:8] + hashlib.sha256(str(index).encode()).digest()[:8]


def list_archives(program, documents, database, count):
    """Creates a database that lists `count` archives as imported, although they were not."""
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
