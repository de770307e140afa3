"""The databases that are asked, and the queries that are drawn from them."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time

from .build import generate

# Up to so many contracts are written to a file first, and the import reads that file:
# 2.6 GB. More go through a pipe.
MOST_IN_A_FILE = 1_000_000
PAGE = 200


class Imported:
    """A database, and how its import went: `told` has contracts, suppliers, seed,
    bytes, and of the import seconds, its processor seconds and the generator's (while
    it ran beside it, else 0), how it was read (`file` or `pipe`)."""

    def __init__(self, path, told):
        self.path, self.told = path, told

    @property
    def bytes_a_contract(self):
        return self.told["bytes"] / self.told["contracts"]

    @property
    def rate(self):
        return self.told["contracts"] / self.told["seconds"]


def finished(process, what):
    """Waits for a process; its seconds of processor time."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{what} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def made(program, profile, folder, contracts, suppliers, seed):
    """The database of so many contracts, made now if it is not in the folder yet; the profile
    is the generator's."""
    name = f"contracts-{contracts}-suppliers-{suppliers}-seed-{seed}"
    database, figures = folder / f"{name}.sqlite", folder / f"{name}.json"
    if figures.exists():
        return Imported(database, {**json.loads(figures.read_text()), "reused": True})
    # One that is there without its figures was not finished.
    forget(database)
    told = {"contracts": contracts, "suppliers": suppliers, "seed": seed}
    generating = generate(profile, contracts, suppliers, seed)
    bring_in = [program, "import", "--database", database]
    if contracts <= MOST_IN_A_FILE:
        told.update(from_file(generating, bring_in, folder / f"{name}.jsonl"))
    else:
        told.update(from_pipe(generating, bring_in))
    told["bytes"] = size(database)
    figures.write_text(json.dumps(told))
    return Imported(database, told)


def registry(program, folder, entries):
    """A database of so many RNP entries alone, each of a supplier of its own."""
    database, lines = folder / f"entries-{entries}.sqlite", folder / f"entries-{entries}.jsonl"
    with open(lines, "w") as out:
        for number in range(entries):
            # Of twelve digits, so that no control digit of one of ten is asked for.
            supplier = {"inn": f"{960_000_000_000 + number}", "name": f"ИП {number}"}
            entry = {
                "registrationNumber": f"РНП.{number}-26", "federalLaw": "44",
                "registrationDate": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
                "excludeDate": f"2027-{number % 12 + 1:02}-{number % 28 + 1:02}",
            }
            line = {"type": "rnpEntry", "supplier": supplier, "entry": entry}
            print(json.dumps(line, ensure_ascii=False), file=out)
    command = [program, "import", "--database", database, lines]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    lines.unlink()
    return Imported(database, {})


def from_file(command, bring_in, lines):
    try:
        started = time.monotonic()
        with open(lines, "wb") as out:
            generating = subprocess.Popen(command, stdout=out)
            finished(generating, "generate")
            # Or the system would still be writing it while the import is timed.
            os.fsync(out.fileno())
        generated = time.monotonic() - started
        started = time.monotonic()
        importing = subprocess.Popen([*bring_in, lines], stdout=subprocess.DEVNULL)
        processor = finished(importing, "import")
        return {
            "read": "file", "seconds": time.monotonic() - started, "processor": processor,
            "generator_processor": 0, "lines_bytes": lines.stat().st_size,
            "generated_seconds": generated,
        }
    finally:
        lines.unlink(missing_ok=True)


def from_pipe(command, bring_in):
    started = time.monotonic()
    generating = subprocess.Popen(command, stdout=subprocess.PIPE)
    importing = subprocess.Popen(
        [*bring_in, "-"], stdin=generating.stdout, stdout=subprocess.DEVNULL
    )
    generating.stdout.close()
    processor = finished(importing, "import")
    seconds = time.monotonic() - started
    return {
        "read": "pipe", "seconds": seconds, "processor": processor,
        "generator_processor": finished(generating, "generate"),
    }


def size(database):
    return database.stat().st_size


def forget(database):
    database.unlink(missing_ok=True)


class Drawn:
    """Queries drawn by a seed from what is in a database: paths, each with its query.

    Which suppliers, purchases and counts there are is read from the tables `supplier`,
    `purchase` and `rnp_entry` of src/store/schema.sql. Everything that is asked stands
    in those; if the tables change, this is the one place to follow."""

    def __init__(self, database, seed):
        self.random = random.Random(f"queries {seed}")
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        with connection:
            # The order makes the draw the same, whatever the plan of a query is.
            self.suppliers = connection.execute(
                "SELECT inn, contracts FROM supplier ORDER BY contracts DESC, inn"
            ).fetchall()
            self.listed = [inn for (inn,) in connection.execute(
                "SELECT DISTINCT inn FROM rnp_entry ORDER BY inn"
            )]
            self.purchases = {length: [] for length in (19, 11, 18)}
            for (number,) in connection.execute("SELECT number FROM purchase ORDER BY number"):
                self.purchases[len(number)].append(number)
        connection.close()
        self.full = [(inn, count) for inn, count in self.suppliers if count >= PAGE]
        if not self.full or not self.listed or not all(self.purchases.values()):
            sys.exit(f"{database}: no supplier with {PAGE} contracts, no RNP entry, or not all"
                     " three shapes of purchase; give more --contracts, or fewer --suppliers")

    def format(self, format):
        return format or self.random.choice(["xml", "json"])

    def checks(self, count, format=None):
        """RNP checks: one supplier of four has entries; XML and JSON by chance."""
        paths = []
        for number in range(count):
            if number % 4 == 0:
                inn = self.random.choice(self.listed)
            else:
                inn = self.random.choice(self.suppliers)[0]
            paths.append(f"/rnp/check-supplier?supplierINN={inn}&format={self.format(format)}")
        return paths

    def cards(self, count, format=None):
        """Purchase cards: as many of each of the three shapes; XML and JSON by chance."""
        paths = []
        for number in range(count):
            length, endpoint = [(19, "demo44"), (11, "demo223"), (18, "demo223")][number % 3]
            purchase = self.random.choice(self.purchases[length])
            paths.append(f"/purchase/{endpoint}?purchaseNumber={purchase}&format={self.format(format)}")
        return paths

    def pages(self, count, format):
        """Full pages, anywhere: a contract of any supplier that has a full page is as
        likely as any other to be the first of one."""
        weights = [contracts for _, contracts in self.full]
        chosen = self.random.choices(self.full, weights, k=count)
        return [
            page(inn, self.random.randrange(contracts - PAGE + 1), format)
            for inn, contracts in chosen
        ]

    def ends(self, format):
        """Of the largest supplier: the page at skip 0 and the last full one; its first
        pages and its last ones, up to 16 each, as many contracts on each side."""
        inn, contracts = self.suppliers[0]
        deepest = contracts - PAGE
        many = max(1, min(16, contracts // (2 * PAGE)))
        first = [page(inn, number * PAGE, format) for number in range(many)]
        last = [page(inn, deepest - number * PAGE, format) for number in range(many)]
        return deepest, {"first": first[:1], "deepest": last[:1], "firsts": first, "lasts": last}


def page(inn, skip, format):
    return (f"/contract/monitor-supplier44?supplierINN={inn}&limit={PAGE}&skip={skip}"
            f"&format={format}")
