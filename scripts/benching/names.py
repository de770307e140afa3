"""Measures how well and how fast suppliers are found by names that differ from official spelling.

For every way of writing a name (see `name_ways.py`), searches for 300 of 20,000 invented names, and
finally for 300 names that no supplier has. Prints for each way how often the right supplier is the
first hit and among the first three, how often another supplier comes first, and how often nothing
is found. "Another first that fits" counts hits that the text describes just as well, for example
someone with the same surname and initials. One column counts only texts that fit at most three
suppliers, since no search can show more than three among the first three hits.

Then generates and imports a million contracts of 500,000 suppliers, and searches for 2,000 supplier
names with a typing error in at least one word: a letter added, missing or replaced, or two
neighbouring letters swapped. Prints the share found among the first three hits, and the time per
search.
"""

import argparse
import http.client
import itertools
import json
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from . import invented_names, name_ways
from .build import add_profile, build
from .data import generate_database
from .servers import issued_key, serve

NAMES = 20_000
ASKED = 300
SHOWN = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--only-ways", action="store_true", help="skip the million contracts")
    parser.add_argument("--program", help="measure this program instead of building one")
    parser.add_argument("--misses", help="write the searches that failed to this JSON file")
    args = parser.parse_args()
    program, helper = (args.program, None) if args.program else build(args.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-names-"))
    try:
        measure_ways(program, work, args.misses)
        if not args.only_ways:
            database = generate_database(program, args.profile, work, 1_000_000, 500_000)
            subprocess.run([helper, "names", database, "2000", "1"], check=True)
    finally:
        shutil.rmtree(work)


class Finder:
    """A client for supplier searches. Records the time of each request."""

    def __init__(self, server, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.key, self.times = key, []

    def hits(self, text):
        path = f"/find?q={quote(text)}&limit={SHOWN}&format=json&apikey={self.key}"
        started = time.perf_counter()
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        body = answer.read()
        self.times.append(time.perf_counter() - started)
        if answer.status != 200:
            raise SystemExit(f"{text}: status {answer.status}")
        found = json.loads(body)
        return [(hit["key"], int(hit["score"])) for hit in found["hits"]]


def measure_ways(program, work, misses):
    """Searches for names written in every way, and prints a table."""
    names = invented_names.draw(random.Random("names 1"), NAMES)
    unknown = draw_unknown(names)
    of_inn = {f"{9_600_000_000 + at}": name for at, name in enumerate(names)}
    lines = work / "names.jsonl"
    with open(lines, "w") as out:
        for inn, name in of_inn.items():
            line = {"type": "supplier", "supplier": {"inn": inn, "name": name.full}}
            print(json.dumps(line, ensure_ascii=False), file=out)
    database, keys = work / "names.sqlite", work / "keys.sqlite"
    subprocess.run([program, "import", "--database", database, lines], check=True,
                   stdout=subprocess.DEVNULL)
    key = issued_key(program, keys)
    server = serve("names", program, database, keys)
    try:
        finder = Finder(server, key)
        print("| way | searches | first | in first three | in first three, if at most three fit "
              "| another first | another first that fits | nothing | ms |")
        print("|---|---|---|---|---|---|---|---|---|")
        missed = {}
        for way, write in name_ways.WAYS.items():
            missed[way] = measure_way(finder, of_inn, way, write)
        missed["absent"] = search_unknown(finder, unknown)
        if misses:
            Path(misses).write_text(json.dumps(missed, ensure_ascii=False, indent=1))
    finally:
        server.end()


def measure_way(finder, of_inn, way, write):
    """Searches for names written in one way, prints the row of the table, and returns the searches
    that did not find the right supplier."""
    chance = random.Random(f"7 {way}")
    inns = list(of_inn)
    chance.shuffle(inns)
    asked = []
    for inn in inns:
        text = write(of_inn[inn], chance)
        if text and len(asked) < ASKED:
            asked.append((inn, text))
    finder.times.clear()
    first = three = wrong = fitting = nothing = few = few_three = 0
    missed = []
    for inn, text in asked:
        hits = finder.hits(text)
        keys = [key for key, _ in hits]
        is_three = inn in keys
        first += keys[:1] == [inn]
        three += is_three
        nothing += not keys
        if keys and keys[0] != inn:
            does_fit = name_ways.fits(way, text, of_inn[keys[0]])
            fitting += does_fit
            wrong += not does_fit
        many = 1
        if not is_three:
            many = sum(name_ways.fits(way, text, name) for name in of_inn.values())
            missed.append([text, of_inn[inn].words, [[of_inn[key].words, score] for key, score in hits]])
        few += many <= SHOWN
        few_three += many <= SHOWN and is_three
    share = lambda count, of=len(asked): f"{100 * count / max(of, 1):.0f} %"
    ms = 1000 * sum(finder.times) / max(len(finder.times), 1)
    print(f"| {way} | {len(asked)} | {share(first)} | {share(three)} | {share(few_three, few)} "
          f"| {share(wrong)} | {share(fitting)} | {share(nothing)} | {ms:.1f} |", flush=True)
    return missed


def has_words(words, name):
    """Returns whether every word of a name is contained in one of `words`. If so, finding the
    supplier with these words is correct."""
    asked = invented_names.comparison_keys(name.words)[1].split()
    return all(any(word in one for one in words) for word in asked)


def draw_unknown(names):
    """Returns names that no supplier has, at random with or without a legal form."""
    chance = random.Random("7 absent")
    known = [invented_names.comparison_keys(name.words)[1].split() for name in names]
    drawn = invented_names.draw(chance, 4 * ASKED, names)
    absent = (name for name in drawn if not any(has_words(words, name) for words in known))
    return [chance.choice([name.words, f"{name.form} {name.words}"])
            for name in itertools.islice(absent, ASKED)]


def search_unknown(finder, texts):
    """Searches for names that no supplier has, and prints how many searches had hits."""
    finder.times.clear()
    offered = []
    for text in texts:
        hits = finder.hits(text)
        if hits:
            offered.append([text, hits[0][1]])
    high = sum(score >= 90 for _, score in offered)
    ms = 1000 * sum(finder.times) / ASKED
    print(f"\n{ASKED} names that no supplier has: {len(offered)} had hits, {high} with a score of at "
          f"least 90; {ms:.1f} ms")
    return offered
