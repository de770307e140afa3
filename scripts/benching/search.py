"""Measures how long content searches take in a large file, and how large their index is.

Generates and imports contracts and purchases whose words follow Zipf's law. Then runs 200 random
searches with one to four conditions each (words, codes, regions, customers, facts, days, stages,
prices, as frequent as in the data) for the first page of contracts or purchases. Prints the median
time, the 90th percentile and the slowest. Then measures a summary over about 100,000 contracts and
prices over about 20,000 items, using the queries that come closest to those numbers, and prints
which share of the file the index and the items take.
"""

import argparse
import http.client
import json
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from .build import add_profile, build, build_workspace
from .servers import issued_key, serve

# Seed of the generator. With the same seed, a small run and a large run have the same words, items,
# customers and suppliers in the same proportions. Queries can therefore be drawn from a small
# sample.
SEED = 1
SAMPLE = 4_000
# How many contracts the measured summary should cover, and how many items the measured prices.
SUMMARY, PRICES = 100_000, 20_000
REPEATS = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    add_generated(parser, purchases=1_000_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--database", type=Path,
                        help="search this file, generated with the same options; created if it does not exist")
    parser.add_argument("--from", dest="source", help="search this instead, such as postgresql://…")
    args = parser.parse_args()
    program, _ = build(args.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-search-"))
    try:
        database = args.database or work / "search.sqlite"
        if not args.source and not database.exists():
            make_database(program, args, database)
        measure(program, args, work, args.source or database)
        if not args.source:
            show_sizes(database)
    finally:
        shutil.rmtree(work)


def add_generated(parser, purchases):
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--purchases", type=int, default=purchases)
    parser.add_argument("--suppliers", type=int, help="default: one per ten contracts")
    parser.add_argument("--words", type=int, default=150_000, help="size of the invented vocabulary")


def generate_command(args, contracts, purchases):
    """Returns the command that generates this many contracts and purchases as JSON Lines."""
    suppliers = args.suppliers or max(contracts // 10, 10)
    numbers = {"contracts": contracts, "purchases": purchases, "suppliers": suppliers,
               "words": args.words, "market": 60, "seed": SEED}
    options = [str(part) for name, value in numbers.items() for part in (f"--{name}", value)]
    return [build_workspace(args.profile) / "generate", *options]


def make_database(program, args, database):
    command = generate_command(args, args.contracts, args.purchases)
    started = time.perf_counter()
    generating = subprocess.Popen(command, stdout=subprocess.PIPE)
    subprocess.run([program, "import", "--database", database, "-"], check=True,
                   stdin=generating.stdout, stdout=subprocess.DEVNULL)
    generating.stdout.close()
    if generating.wait() != 0:
        sys.exit(f"generate ended with status {generating.returncode}")
    print(f"generated and imported in {time.perf_counter() - started:.0f} s", flush=True)


class Client:
    """An HTTP client that measures response times."""

    def __init__(self, server, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.key = key

    def ask(self, path, parameters):
        """Returns the seconds taken and the parsed response. The response is `None` if the server
        refused the search as too broad."""
        target = f"{path}?{urlencode({**parameters, 'format': 'json'})}"
        started = time.perf_counter()
        self.connection.request("GET", target, headers={"X-API-Key": self.key})
        response = self.connection.getresponse()
        body = response.read()
        seconds = time.perf_counter() - started
        answer = json.loads(body)
        if response.status == 400 and answer.get("error") == "Слишком общий запрос.":
            return seconds, None
        if response.status != 200:
            sys.exit(f"{path} {parameters}: status {response.status} {body[:200]!r}")
        return seconds, answer


def measure(program, args, work, source):
    sampler = QuerySampler(random.Random("search 1"), generate_command(args, SAMPLE, SAMPLE))
    key = issued_key(program, work / "keys.sqlite")
    server = serve("search", program, source, work / "keys.sqlite")
    try:
        client = Client(server, key)
        asked = [sampler.question() for _ in range(args.questions)]
        show_pages(client, asked)
        show_large(client, "summary", "/contract/summary", sampler.wide(), SUMMARY)
        show_large(client, "prices", "/contract/prices", sampler.wide_items(), PRICES)
    finally:
        server.end()


def show_pages(client, asked):
    taken, matches, general = [], [], 0
    for path, parameters in asked:
        seconds, answer = client.ask(path, parameters)
        taken.append((1000 * seconds, path, parameters))
        general += answer is None
        matches += [answer["totalcount"]] if answer else []
    times = [ms for ms, *_ in taken]
    ninth = statistics.quantiles(times, n=10)[-1]
    print(f"{len(asked)} first pages: median {statistics.median(times):.1f} ms, 90th percentile {ninth:.1f} ms, "
          f"slowest {max(times):.1f} ms (goals: 20 and 300 ms)")
    print(f"matches: median {statistics.median(matches):.0f}, maximum {max(matches)}; {matches.count(0)} "
          f"searches without matches, {general} refused as too broad")
    for ms, path, parameters in sorted(taken, key=lambda one: one[0])[-3:]:
        print(f"  {ms:.1f} ms: {path} {parameters}")


def show_large(client, what, path, questions, wanted):
    """Measures the query whose number of matches is closest to `wanted`."""
    counts = []
    for parameters in questions:
        _, answer = client.ask("/contract/search" if what == "summary" else path, {**parameters, "limit": 0})
        if answer:
            counts.append((abs(answer["totalcount"] - wanted), answer["totalcount"], parameters))
    _, count, parameters = min(counts, key=lambda one: one[:2])
    # Use a different limit each time to bypass the answer cache.
    extra = "top" if what == "summary" else "limit"
    times = [client.ask(path, {**parameters, extra: 10 + at})[0] for at in range(REPEATS)]
    goal = "250 ms" if what == "summary" else "150 ms"
    print(f"{what} over {count}: median {1000 * statistics.median(times):.1f} ms, slowest "
          f"{1000 * max(times):.1f} ms (goal: {goal} over {wanted}) {parameters}")


class QuerySampler:
    """Draws random queries from a sample of the data, so that words and codes are as frequent in
    queries as in the records."""

    def __init__(self, random, command):
        self.random = random
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, encoding="utf-8").stdout.splitlines()
        read = [json.loads(line) for line in lines]
        self.contracts = [one["contract"] | one["supplier"] for one in read if one["type"] == "contract"]
        self.purchases = [one["purchase"] for one in read if one["type"].startswith("purchase")]

    def question(self):
        """Draws a path and its parameters, with one to four conditions."""
        if self.random.random() < 0.3:
            path, conditions = "/purchase/search", self.of_purchase(self.random.choice(self.purchases))
        else:
            path, conditions = "/contract/search", self.of_contract(self.random.choice(self.contracts))
        needed = self.random.choice(list(conditions)[:2])
        names = self.random.sample(list(conditions), self.random.randint(1, 4))
        names = [needed, *(name for name in names if name != needed)][:4]
        return path, {name: conditions[name] for name in names}

    def of_contract(self, one):
        """Draws conditions from a contract, the most common ones first."""
        products = one["products"] or [{}]
        text = f"{one['purchaseObjectInfo']} {products[0].get('name')}"
        year = self.random.randint(2016, 2025)
        return {
            "q": self.words(text), "code": self.code(products[0].get("code")),
            "region": one["customerInn"][:2], "customerInn": one["customerInn"],
            "supplierINN": one["inn"], "stage": one["contractStage"],
            "signedFrom": f"{year}-01-01", "signedTo": f"{year + 1}-06-30",
            "priceFrom": self.random.choice([10_000, 100_000, 1_000_000]),
            "fact": self.random.choice(["penalties", "overdue", "terminatedByCustomer", "signedWhileListed"]),
        }

    def of_purchase(self, one):
        year = self.random.randint(2016, 2025)
        contract = self.random.choice(self.contracts)
        return {
            "q": self.words(one["purchaseObjectInfo"]),
            "code": self.code((contract["products"] or [{}])[0].get("code")),
            "region": one["responsibleOrg"]["inn"][:2], "law": self.random.choice(["44", "223", "44,615"]),
            "publishedFrom": f"{year}-01-01", "publishedTo": f"{year + 1}-06-30",
            "priceFrom": self.random.choice([10_000, 100_000, 1_000_000]),
            "sort": self.random.choice(["-published", "-price", "closes"]),
        }

    def words(self, text):
        found = [word for word in text.split() if word.isalpha() and len(word) > 2] or ["поставка"]
        return " ".join(self.random.sample(found, min(len(found), self.random.choice([1, 1, 1, 2, 2, 3]))))

    def code(self, code):
        """Returns the first two to four levels of a code."""
        levels = (code or "17.12.14").replace("-", ".").split(".")
        cut = self.random.randint(2, 4)
        return code if code and len(levels) <= cut else ".".join(levels[:cut])

    def wide(self):
        """Returns queries with many matches."""
        words = ["поставка", "услуги", "нужд", "бумага", "школа", "лифтов", "ремонт", "белье"]
        codes = ["10", "13", "17", "20", "21", "22", "32", "33", "80", "81"]
        return [{"q": word} for word in words] + [{"code": code} for code in codes] + [
            {"region": region, "signedFrom": f"{year}-01-01", "signedTo": f"{until}-12-31"}
            for region in ("96", "98") for year in (2016, 2020) for until in (2017, 2020, 2022)
            if until >= year]

    def wide_items(self):
        names = ["бумага", "белье постельное", "простыня", "сахар", "перчатки", "ноутбук", "мыло", "стол"]
        years = [{}, {"signedFrom": "2020-01-01"}, {"signedFrom": "2024-01-01"}]
        return [{"q": name, **year} for name in names for year in years] + [
            {"code": code, **year} for code in ("13.92", "17.12", "10.51", "21.20") for year in years]


def show_sizes(database):
    """Prints the size of the index and of two tables, and their shares of the file."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    whole = database.stat().st_size
    for what, of in (("index", "content_index_data"), ("items", "contract_items"),
                     ("facets of purchases", "purchase_facet")):
        size = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name = ?", [of]).fetchone()[0] or 0
        print(f"{what}: {size / 1e6:.1f} MB, {100 * size / whole:.1f} % of {whole / 1e6:.0f} MB")
    connection.close()
