"""The point of filters: pages of some of the largest supplier's contracts, in other
orders, and their summary, beside the page of all of them."""

import json
import random

from . import data
from .bench import table
from .load import Ratio, median

SUMMARY = "/contract/summary-supplier44"

# Of each kind of request so many, at different skips.
PAGES = 16


def questions(bench):
    """By their names: what is asked beside the supplier, and how many contracts match."""
    (inn, contracts), client = bench.drawn.suppliers[0], bench.client(bench.server)

    def ask(path, query):
        return json.loads(client.data(f"{path}?supplierINN={inn}&format=json{query}").body)

    told = ask(SUMMARY, "")
    middle = told["years"][len(told["years"]) // 2]["year"]
    largest = told["customers"][0]["customerInn"]
    asked = {
        "all, the newest first": "",
        "signed in a year": f"&signedFrom={middle}-01-01&signedTo={middle}-12-31",
        "sort=signDate": "&sort=signDate",
        "stage=E": "&stage=E",
        "customerInn": f"&customerInn={largest}",
        "updatedFrom": f"&updatedFrom={middle}-01-01",
        "sort=-contractPrice": "&sort=-contractPrice",
        "stage=E, sort=updateDate": "&stage=E&sort=updateDate",
    }
    found = {}
    for name, query in asked.items():
        count = ask("/contract/monitor-supplier44", query + "&limit=0")["totalcount"]
        draw = random.Random(name)
        skips = [draw.randrange(max(1, count - data.PAGE + 1)) for _ in range(PAGES)]
        found[name] = (count, [data.page(inn, skip, "xml") + query for skip in skips])
    found["summary"] = (contracts, [f"{SUMMARY}?supplierINN={inn}"])
    client.close()
    return found


def filters(bench):
    """Point 9: what a filter, an order and a summary cost."""
    found = questions(bench)
    server = bench.serve(bench.big, name="filters", options=["--answer-cache", "0"])
    lists = {
        name: bench.lists.write(f"filters-{number}", paths)
        for number, (name, (_, paths)) in enumerate(found.items())
    }
    loads = {name: bench.load(server, asked, 1) for name, asked in lists.items()}
    measured = bench.in_turn(loads)
    whole, rows = next(iter(measured.values())), []
    for name, rounds in measured.items():
        rows.append([
            name, f"{found[name][0]:,}", f"{median(rounds, 'size') / 1000:.1f}",
            f"{median(rounds, 'time'):,.0f}", f"{median(rounds, 'server'):,.0f}",
            str(Ratio(rounds, whole, lambda each: each.time)),
        ])
    server.end()
    slowest = max(median(rounds, "time") for rounds in measured.values())
    bench.goals.add("a filtered or ordered page of the largest supplier, or its summary",
                    "at most 60 ms", f"{slowest / 1000:.1f} ms", slowest <= 60_000)
    table(
        f"Filters and orders over the {found['summary'][0]:,} contracts of the largest supplier",
        ["what", "contracts that match", "KB", "µs an answer", "µs of processor",
         "time, to the page of all"],
        rows,
        f"Pages of 200 at {PAGES} skips each, XML, one connection.",
    )
