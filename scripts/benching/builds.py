"""How fast builds of the program answer, each over its own data.

    scripts/bench builds --drawn FILE --builds NAME=PROGRAM,DATA...

Each build serves its DATA, a file or the address of PostgreSQL, with 2 workers and without
cached answers. What is asked is drawn from FILE, which a build of today made from the same lines:

  an RNP check, a purchase card, a page of 200 contracts, over 1 connection and 8
  the deepest pages of the largest supplier, its filtered and ordered pages, its summary
  pages of the largest customer

The builds take turns in rounds; figures are medians of the rounds, a ratio is the median of each
round's ratio to the first build, with the lowest and the highest in brackets. The bytes of the
builds' answers are not compared, as builds may word them otherwise; their mean size is printed.
Exit status 1: an answer was no data.
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
from .answers import Client, Lists
from .load import Ratio, WrongAnswer, in_turn, load, median, table
from .servers import issued_key, serve, tools

PAGES = 16
# So many requests of each short kind.
REQUESTS = 300


class Build:
    """A build that serves its data, and the requests with its key, in a folder of its own."""

    def __init__(self, given, work):
        self.name, _, rest = given.partition("=")
        program, source = rest.split(",")
        folder = work / self.name
        folder.mkdir()
        keys = folder / "keys.sqlite"
        self.key = issued_key(program, keys)
        self.lists = Lists(folder, self.key)
        self.server = serve(self.name, program, source, keys, "--answer-cache", "0")

    def answers_all(self, paths):
        """Asks each request once; fails if an answer is not data."""
        client = Client(self.server, self.key)
        for path in paths:
            client.data(path)
        client.close()


def drawn_requests(file):
    """By their names: the connections that ask, and what they ask."""
    drawn = data.Drawn(file)
    with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as db:
        customer, count = db.execute(
            "SELECT customer_inn, count(*) FROM contract_facet GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
        ).fetchone()
        supplier, contracts = drawn.suppliers[0]
        (supplier_id,) = db.execute("SELECT id FROM supplier WHERE inn = ?", [supplier]).fetchone()
        day, buyer = db.execute(
            "SELECT sign_date, customer_inn FROM contract_facet WHERE id >> 37 = ? "
            "ORDER BY id LIMIT 1 OFFSET ?",
            [supplier_id, contracts // 2],
        ).fetchone()
    year = str(day)[:4]
    short = {
        "RNP check": drawn.checks(REQUESTS, "xml"),
        "purchase card": drawn.cards(REQUESTS, "xml"),
        "page of 200": drawn.pages(REQUESTS, "xml"),
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
    first, deepest = drawn.ends(PAGES)
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
    """Pages of 200 among the first thousand contracts that match."""
    draw = random.Random(query)
    return [f"/contract/monitor-{of}&limit={data.PAGE}&skip={draw.randrange(800)}&format=xml{query}"
            for _ in range(PAGES)]


def answers(given, work):
    wrk, rows, builds = tools("wrk")["wrk"], [], []
    try:
        for each in given.builds:
            builds.append(Build(each, work))
        for number, (name, (connections, paths)) in enumerate(drawn_requests(given.drawn).items()):
            if given.only not in name:
                continue
            loads = {}
            for build in builds:
                build.answers_all(paths[:PAGES])
                listed = build.lists.write(str(number), paths)
                loads[build.name] = functools.partial(
                    load, wrk, build.server, listed, connections, given.seconds)
            measured = list(in_turn(given.rounds, loads).values())
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
    what = ("µs from one answer to the next", "µs of the server's processor", "KB")
    table("Answers; 1 connection, or as many as the name says", [
        "what", *(f"{each}: {' / '.join(names)}" for each in what),
        *(f"{name} to {names[0]}" for name in names[1:])], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drawn", type=Path, required=True, help="the file to draw requests from")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="of each load of requests")
    parser.add_argument("--only", default="", help="kinds of requests whose name has this")
    parser.add_argument("--builds", nargs="+", required=True, metavar="NAME=PROGRAM,DATA")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        answers(given, work)
    except WrongAnswer as wrong:
        sys.exit(f"bench builds: {wrong}")
    finally:
        shutil.rmtree(work)
