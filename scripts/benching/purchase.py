"""What many contracts of one purchase cost.

Imports a notice and 2,000 contracts of its purchase, then the same with 20,000, and into each one
more contract and a new version of the notice. Prints the processor time and the peak of memory of
each import, and the ratio of the 20,000 to the 2,000. Then the same with 20 and 200 contracts of
2,000 products each, whose facts fill several batches.
"""

import argparse
import itertools
import shutil
import tempfile
import zipfile
from pathlib import Path

from .build import ROOT, Run, add_profile, build

PURCHASE = "0396300012425000311"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    given = parser.parse_args()
    program, _ = build(given.profile)
    for counts, products in (((2_000, 20_000), 1), ((20, 200), 2_000)):
        few, many = (measured(program, count, products) for count in counts)
        for what in few:
            time, memory = (many[what][at] / few[what][at] for at in range(2))
            print(
                f"{what}: {counts[1]:,} to {counts[0]:,} contracts of {products:,} products: time {time:.1f} "
                f"(goal: at most {counts[1] // counts[0] * 1.2:.0f}), memory {memory:.2f}",
                flush=True,
            )


def measured(program, count, products):
    """The seconds of processor time and the peak of memory of each import, by its name."""
    work = Path(tempfile.mkdtemp(prefix="bench-purchase-"))
    try:
        database = work / "data.sqlite"
        runs = {
            "all": itertools.chain([notice(1)], (contract(number, products) for number in range(count))),
            "one more": [contract(count, products)],
            "a new notice": [notice(2)],
        }
        found = {}
        # Documents are made one at a time: the peak of a process begins with that of its parent.
        for at, (what, documents) in enumerate(runs.items()):
            archive = work / f"{at}.zip"
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
                for index, document in enumerate(documents):
                    out.writestr(f"{index}.xml", document)
            run = Run([program, "import", "--database", database, archive])
            found[what] = (run.processor, run.peak)
            print(
                f"{count:,} contracts of {products:,} products, {what}: {run.processor:.2f} s of processor time, {run.peak:.0f} MB",
                flush=True,
            )
        return found
    finally:
        shutil.rmtree(work)


def notice(version):
    """A version of the purchase's notice."""
    text = (ROOT / "data/documents/epNotificationEF2020.xml").read_text()
    number = text.split("<purchaseNumber>")[1].split("<")[0]
    text = text.replace(number, PURCHASE)
    before = text.split("<versionNumber>")[1].split("<")[0]
    return text.replace(f"<versionNumber>{before}<", f"<versionNumber>{version}<")


def contract(number, products):
    """A contract of the purchase with so many products."""
    text = (ROOT / "data/documents/contract.xml").read_text()
    text = text.replace("3960100124525000311", f"3960100124{number:09}")
    head, rest = text.split("<products>", 1)
    body, tail = rest.split("</products>", 1)
    return f"{head}<products>{body * products}</products>{tail}"
