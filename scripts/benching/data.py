"""Generates benchmark databases and draws random requests from their contents."""

import json
import random
import sqlite3
import subprocess
import sys

from .build import build_workspace

PAGE = 200


def generate_database(program, profile, folder, contracts, suppliers):
    """Generates and imports contracts, and returns the path of the new database. `profile` is the
    Cargo profile with which the generator was built."""
    database = folder / "contracts.sqlite"
    generate = [build_workspace(profile) / "generate", "--contracts", str(contracts),
                "--suppliers", str(suppliers), "--seed", "1"]
    generating = subprocess.Popen(generate, stdout=subprocess.PIPE)
    subprocess.run([program, "import", "--database", database, "-"], check=True,
                   stdin=generating.stdout, stdout=subprocess.DEVNULL)
    generating.stdout.close()
    if generating.wait() != 0:
        sys.exit(f"generate ended with status {generating.returncode}")
    return database


def generate_registry(program, folder, entries):
    """Creates a database that contains only RNP entries, each for a different supplier."""
    database, lines = folder / "entries.sqlite", folder / "entries.jsonl"
    with open(lines, "w") as out:
        for number in range(entries):
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
    return database


class RequestSampler:
    """Draws random request paths that match the contents of a database. The seed is fixed.

    Reads the tables `supplier`, `purchase` and `rnp_entry` of src/store/schema.sql directly, so a
    change of these tables has to be repeated here."""

    def __init__(self, database):
        self.random = random.Random("queries 1")
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        with connection:
            # Sort the rows, so that the requests do not depend on the query plan.
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
                     " three kinds of purchase numbers; raise --contracts")

    def format(self, format):
        return format or self.random.choice(["xml", "json"])

    def checks(self, count, format=None):
        """Draws RNP checks. At least every fourth is for a supplier with entries. Without `format`,
        each request is for XML or JSON at random."""
        paths = []
        for number in range(count):
            if number % 4 == 0:
                inn = self.random.choice(self.listed)
            else:
                inn = self.random.choice(self.suppliers)[0]
            paths.append(f"/rnp/check-supplier?supplierINN={inn}&format={self.format(format)}")
        return paths

    def cards(self, count, format=None):
        """Draws purchase cards, in equal parts for the three laws. Without `format`, each request
        is for XML or JSON at random."""
        paths = []
        for number in range(count):
            length, endpoint = [(19, "demo44"), (11, "demo223"), (18, "demo223")][number % 3]
            purchase = self.random.choice(self.purchases[length])
            paths.append(f"/purchase/{endpoint}?purchaseNumber={purchase}&format={self.format(format)}")
        return paths

    def pages(self, count, format):
        """Draws full pages at random offsets. Suppliers with more contracts are drawn more often.
        """
        weights = [contracts for _, contracts in self.full]
        chosen = self.random.choices(self.full, weights, k=count)
        return [
            page(inn, self.random.randrange(contracts - PAGE + 1), format)
            for inn, contracts in chosen
        ]

    def ends(self, count):
        """Returns the first pages of the largest supplier, and the same number of its last pages.
        """
        inn, contracts = self.suppliers[0]
        skips = [number * PAGE for number in range(max(1, min(count, contracts // (2 * PAGE))))]
        return ([page(inn, skip, "xml") for skip in skips],
                [page(inn, contracts - PAGE - skip, "xml") for skip in skips])


def page(inn, skip, format):
    return (f"/contract/monitor-supplier44?supplierINN={inn}&limit={PAGE}&skip={skip}"
            f"&format={format}")
