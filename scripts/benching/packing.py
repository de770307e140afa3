"""What packing an answer costs and saves, by level: a page of 200 contracts in XML and in
JSON, and a card, of synthetic data."""

import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from .build import add_profile, build, generate


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    add_profile(parser)
    given = parser.parse_args()
    program, helper = build(given.profile)
    with tempfile.TemporaryDirectory() as folder:
        answers = written(program, given.profile, Path(folder), given.seed)
        subprocess.run([helper, "packing", *answers], check=True)


def written(program, profile, folder, seed):
    """The answers, as files."""
    lines, database = folder / "lines.jsonl", folder / "data.sqlite"

    def run(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True).stdout

    with open(lines, "wb") as out:
        subprocess.run(generate(profile, 30_000, 1_000, seed), stdout=out,
                       stderr=subprocess.DEVNULL, check=True)
    run("import", "--database", database, lines)
    suppliers, purchases = Counter(), []
    with open(lines, encoding="utf-8") as file:
        for record in map(json.loads, file):
            if record["type"] == "contract":
                suppliers[record["supplier"]["inn"]] += 1
            elif record["type"] == "purchase44":
                purchases.append(record["purchase"]["purchaseNumber"])
    [(inn, _)] = suppliers.most_common(1)
    page = ["lookup", "contracts", inn, "--limit", "200", "--database", database]
    card = ["lookup", "purchase", purchases[len(purchases) // 2], "--database", database]
    answers = {
        "page.xml": [*page, "--format", "xml"],
        "page.json": [*page, "--format", "json"],
        "card.xml": card,
    }
    for name, arguments in answers.items():
        (folder / name).write_bytes(run(*arguments))
    return [folder / name for name in answers]
