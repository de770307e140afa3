"""Measures imports of purchases with very many contracts.

Imports a notice and 2,000 contracts of its purchase, then one more contract, then a new version of
the notice; and the same with 20,000 contracts. Prints CPU time and peak memory of each import, and
the ratios of 20,000 to 2,000. Then repeats that with 20 and 200 contracts of 2,000 products each,
whose facts fill several batches.
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
    args = parser.parse_args()
    program, _ = build(args.profile)
    for counts, products in (((2_000, 20_000), 1), ((20, 200), 2_000)):
        few, many = (measure(program, count, products) for count in counts)
        for what in few:
            time, memory = (many[what][at] / few[what][at] for at in range(2))
            print(
                f"{what}: {counts[1]:,} / {counts[0]:,} contracts of {products:,} products: time {time:.1f} "
                f"(goal: at most {counts[1] // counts[0] * 1.2:.0f}), memory {memory:.2f}",
                flush=True,
            )


def measure(program, count, products):
    """Returns (CPU seconds, peak memory in MB) of each import, by the name of the import."""
    work = Path(tempfile.mkdtemp(prefix="bench-purchase-"))
    try:
        database = work / "data.sqlite"
        runs = {
            "all": itertools.chain([notice(1)], (contract(number, products) for number in range(count))),
            "one more": [contract(count, products)],
            "a new notice": [notice(2)],
        }
        found = {}
        # Generate the documents only when they are needed, because a child process inherits the
        # peak memory of its parent.
        for at, (what, documents) in enumerate(runs.items()):
            archive = work / f"{at}.zip"
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
                for index, document in enumerate(documents):
                    out.writestr(f"{index}.xml", document)
            run = Run([program, "import", "--database", database, archive])
            found[what] = (run.processor, run.peak)
            print(
                f"{count:,} contracts of {products:,} products, {what}: {run.processor:.2f} s of CPU time, {run.peak:.0f} MB",
                flush=True,
            )
        return found
    finally:
        shutil.rmtree(work)


def notice(version):
    """The notice of the purchase, with this version number."""
    text = (ROOT / "data/documents/epNotificationEF2020.xml").read_text()
    number = text.split("<purchaseNumber>")[1].split("<")[0]
    text = text.replace(number, PURCHASE)
    before = text.split("<versionNumber>")[1].split("<")[0]
    return text.replace(f"<versionNumber>{before}<", f"<versionNumber>{version}<")


def contract(number, products):
    """A contract of the purchase with `products` copies of its product."""
    text = (ROOT / "data/documents/contract.xml").read_text()
    text = text.replace("3960100124525000311", f"3960100124{number:09}")
    head, rest = text.split("<products>", 1)
    body, tail = rest.split("</products>", 1)
    return f"{head}<products>{body * products}</products>{tail}"
