"""Compares how fast different builds of the program answer requests.

    scripts/bench builds --drawn FILE --builds NAME=PROGRAM,DATA...

Each build serves its DATA, a file or a PostgreSQL address, with 2 workers and the answer cache
off. The requests are drawn from FILE, which the current build imported from the same lines:

  RNP checks, purchase cards and pages of 200 contracts, over 1 and over 8 connections
  for the largest supplier: first, deepest, filtered and sorted pages, and the summary
  for the largest customer: unfiltered, filtered and sorted pages

Every round measures all builds in turn. Each figure is the median of all rounds. A ratio is the
median of the per-round ratios to the first build, with the lowest and the highest in brackets.
Response bodies are not compared, because they may differ between releases; their mean size is
printed. Exit status 1: a response was an error.
"""

import argparse
import functools
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
from pathlib import Path

from . import data
from .answers import Client, RequestLists
from .load import Ratio, WrongAnswer, interleave, load, median, table
from .servers import issued_key, serve, tools

PAGES = 16
# Numbers of different RNP checks, of purchase cards, and of pages of 200 contracts.
REQUESTS = 300


class Build:
    """A running server of one build, with an API key and a folder of request lists."""

    def __init__(self, argument, work):
        self.name, _, rest = argument.partition("=")
        program, source = rest.split(",")
        folder = work / self.name
        folder.mkdir()
        keys = folder / "keys.sqlite"
        self.key = issued_key(program, keys)
        self.lists = RequestLists(folder, self.key)
        self.server = serve(self.name, program, source, keys, "--answer-cache", "0")

    def check_answers(self, paths):
        """Requests each path once. Raises WrongAnswer if a response is an error."""
        client = Client(self.server, self.key)
        for path in paths:
            client.data(path)
        client.close()


def draw_requests(file):
    """Maps the name of each kind of request to (number of connections, paths)."""
    sampler = data.RequestSampler(file)
    with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as db:
        customer, count = db.execute(
            "SELECT customer_inn, count(*) FROM contract_facet GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
        ).fetchone()
        supplier, contracts = sampler.suppliers[0]
        (supplier_id,) = db.execute("SELECT id FROM supplier WHERE inn = ?", [supplier]).fetchone()
        day, buyer = db.execute(
            "SELECT sign_date, customer_inn FROM contract_facet WHERE id >> 37 = ? "
            "ORDER BY id LIMIT 1 OFFSET ?",
            [supplier_id, contracts // 2],
        ).fetchone()
    year = str(day)[:4]
    short = {
        "RNP check": sampler.checks(REQUESTS, "xml"),
        "purchase card": sampler.cards(REQUESTS, "xml"),
        "page of 200": sampler.pages(REQUESTS, "xml"),
    }
    found = {f"{name}, {connections}": (connections, paths)
             for name, paths in short.items() for connections in (1, 8)}
    some = {
        f"signed in {year}": f"&signedFrom={year}-01-01&signedTo={year}-12-31",
        "stage=E": "&stage=E",
        f"updatedFrom={year}": f"&updatedFrom={year}-01-01",
        "priceFrom, priceTo": "&priceFrom=100000&priceTo=1000000",
        "sort=signDate": "&sort=signDate",
        "sort=-contractPrice": "&sort=-contractPrice",
        "stage=E, sort=updateDate": "&stage=E&sort=updateDate",
    }
    who = f"supplier of {contracts:,}"
    first, deepest = sampler.ends(PAGES)
    found[f"{who}: first pages"] = (1, first)
    found[f"{who}: deepest pages"] = (1, deepest)
    for name, query in {**some, "customerInn": f"&customerInn={buyer}"}.items():
        found[f"{who}: {name}"] = (1, pages(f"supplier44?supplierINN={supplier}", query))
    summary = f"/contract/summary-supplier44?supplierINN={supplier}&format=xml"
    found[f"{who}: summary"] = (1, [summary])
    who = f"customer of {count:,}"
    for name, query in {"newest first": "", **some}.items():
        found[f"{who}: {name}"] = (1, pages(f"customer44?customerINN={customer}", query))
    return found


def pages(of, query):
    """Returns paths of random pages of 200 among the first thousand matching contracts."""
    draw = random.Random(query)
    return [f"/contract/monitor-{of}&limit={data.PAGE}&skip={draw.randrange(800)}&format=xml{query}"
            for _ in range(PAGES)]


def compare_builds(args, work):
    wrk, rows, builds = tools("wrk")["wrk"], [], []
    try:
        for each in args.builds:
            builds.append(Build(each, work))
        for number, (name, (connections, paths)) in enumerate(draw_requests(args.drawn).items()):
            if args.only not in name:
                continue
            loads = {}
            for build in builds:
                build.check_answers(paths[:PAGES])
                listed = build.lists.write(str(number), paths)
                loads[build.name] = functools.partial(
                    load, wrk, build.server, listed, connections, args.seconds)
            measured = list(interleave(args.rounds, loads).values())
            row = [name]
            for kind, scale, digits in (("time", 1, 0), ("server", 1, 0), ("size", 1000, 1)):
                each = (f"{median(rounds, kind) / scale:,.{digits}f}" for rounds in measured)
                row.append(" / ".join(each))
            first, *others = measured
            rows.append([*row, *(str(Ratio(other, first, "time")) for other in others)])
    finally:
        for build in builds:
            build.server.end()
    names = [build.name for build in builds]
    what = ("µs between answers", "µs of server CPU", "KB")
    table("Answers, over 1 connection unless the name says otherwise", [
        "what", *(f"{each}: {' / '.join(names)}" for each in what),
        *(f"{name} to {names[0]}" for name in names[1:])], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drawn", type=Path, required=True, help="the file to draw requests from")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="duration of each measurement")
    parser.add_argument("--only", default="", help="measure only request kinds whose name contains this")
    parser.add_argument("--builds", nargs="+", required=True, metavar="NAME=PROGRAM,DATA")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        compare_builds(args, work)
    except WrongAnswer as wrong:
        sys.exit(f"bench builds: {wrong}")
    finally:
        shutil.rmtree(work)
