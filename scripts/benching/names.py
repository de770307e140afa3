"""How well and how fast suppliers are found by names that are not written as documents do.

Of 20,000 invented names, 300 are drawn by a seed and asked for in each way of writing them (see
`name_ways.py`), and 300 that nobody has. Prints for each way how often the right supplier is the
first hit and among the first three, and how often another one is first or nothing is found.
"Another that fits" is one that the text may mean as well: somebody with the same initials. What
more than three suppliers fit is not counted in the share of the first three.

Then generates a million contracts of 500,000 suppliers, imports them, and searches for 2,000 names of
suppliers, each with one mistake in at least one word: a letter more, less or other, or two
neighbours exchanged. Prints the share that is found among the first three hits, and the time of a
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
from .data import made
from .servers import issued_key, serve

NAMES = 20_000
ASKED = 300
SHOWN = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--only-ways", action="store_true", help="without the million contracts")
    parser.add_argument("--program", help="ask this one instead of a build")
    parser.add_argument("--misses", help="write what was not found to this file")
    given = parser.parse_args()
    program, helper = (given.program, None) if given.program else build(given.profile)
    work = Path(tempfile.mkdtemp(prefix="bench-names-"))
    try:
        ways(program, work, given.misses)
        if not given.only_ways:
            database = made(program, given.profile, work, 1_000_000, 500_000)
            subprocess.run([helper, "names", database, "2000", "1"], check=True)
    finally:
        shutil.rmtree(work)


class Finder:
    """Asks a server for the first hits of names."""

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


def ways(program, work, misses):
    """Asks in all ways, and prints a table."""
    names = invented_names.drawn(random.Random("names 1"), NAMES)
    unknown = nobodys(names)
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
        print("| way | asked | first | in first three | of those that at most three fit "
              "| another first | another first that fits | nothing | ms |")
        print("|---|---|---|---|---|---|---|---|---|")
        missed = {}
        for way, write in name_ways.WAYS.items():
            missed[way] = one_way(finder, of_inn, way, write)
        missed["absent"] = absent(finder, unknown)
        if misses:
            Path(misses).write_text(json.dumps(missed, ensure_ascii=False, indent=1))
    finally:
        server.end()


def one_way(finder, of_inn, way, write):
    """Asks for names that can be written so, prints their row, and returns what was missed."""
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
    """Whether each word of a name is a part of one of the words, so that it is found by rights."""
    asked = invented_names.same(name.words)[1].split()
    return all(any(word in one for one in words) for word in asked)


def nobodys(names):
    """Names that nobody has, bare or with their form."""
    chance = random.Random("7 absent")
    known = [invented_names.same(name.words)[1].split() for name in names]
    drawn = invented_names.drawn(chance, 4 * ASKED, names)
    absent = (name for name in drawn if not any(has_words(words, name) for words in known))
    return [chance.choice([name.words, f"{name.form} {name.words}"])
            for name in itertools.islice(absent, ASKED)]


def absent(finder, texts):
    """Asks for names that nobody has; prints how many are offered."""
    finder.times.clear()
    offered = []
    for text in texts:
        hits = finder.hits(text)
        if hits:
            offered.append([text, hits[0][1]])
    high = sum(score >= 90 for _, score in offered)
    ms = 1000 * sum(finder.times) / ASKED
    print(f"\n{ASKED} names that nobody has: {len(offered)} offer somebody else, {high} with 90 or more; "
          f"{ms:.1f} ms")
    return offered
