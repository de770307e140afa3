"""How fast the program answers: beside nginx, which sends the same bytes from files.

Builds the program, generates the data, imports it, starts `serve` with 2 workers and
nginx with 2, and prints

  nginx        an RNP check, a purchase card, a page of 200 contracts, beside nginx
  cached       what the answer cache buys of repeated requests
  start        from the start of the process to the first answer
  registry     the same of a database with many RNP entries, which are read whole

and, at the end, a table of the other goals and figures. What a filter, an order, a summary and a deep page
cost, `bench builds` shows. All that is compared takes turns in rounds: each round begins
with another one; figures are medians of the rounds, a ratio is the median of each round's ratio,
with the lowest and the highest in brackets. The load generator, wrk, runs on the same machine and
takes its part of it, so that the processor time of an answer stands beside the rates: where other
programs want the processors, trust that first.

Exit status 1: an answer was wrong, or an error.
"""

import argparse
import functools
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import data
from .answers import Client, Lists, compare
from .build import add_profile, build
from .load import Ratio, WrongAnswer, in_turn, load, median, table, verdict
from .servers import (
    WORKERS, Server, free_port, issued_key, serve, serve_command, start_nginx, tools,
)

OURS = "procurement-lookup"
CONNECTIONS = (8, 64)
# The share of nginx's rate, without the answer cache.
GOALS = {"RNP check": 0.9, "purchase card": 0.5, "page of 200, XML": 0.7, "page of 200, JSON": 0.7}


class Bench:
    """What all points use: the program, its data and its server, what was measured."""

    def __init__(self, given, work):
        self.given, self.work = given, work
        self.tools = tools("wrk", "nginx")
        self.program, _ = build(given.profile)
        self.goals, self.running = [], []
        self.keys = work / "keys.sqlite"
        self.key = issued_key(self.program, self.keys)
        self.lists = Lists(work, self.key)
        self.suppliers = max(10, given.contracts // 20)
        self.database = data.made(self.program, given.profile, work, given.contracts, self.suppliers)
        self.drawn = data.Drawn(self.database)

    @functools.cached_property
    def server(self):
        return self.serve(OURS)

    def serve(self, name, *options):
        self.running.append(serve(name, self.program, self.database, self.keys, *options))
        return self.running[-1]

    def end(self):
        for server in self.running:
            server.end()

    def load(self, server, requests, connections):
        return functools.partial(
            load, self.tools["wrk"], server, requests, connections, self.given.seconds
        )

    def goal(self, what, goal, figure, met):
        self.goals.append([what, goal, figure, verdict(met)])


def beside_nginx(bench):
    """The same bytes, computed, and from nginx's files."""
    drawn, count = bench.drawn, bench.given.requests
    kinds = {
        "RNP check": drawn.checks(count),
        "purchase card": drawn.cards(count),
        "page of 200, XML": drawn.pages(count, "xml"),
        "page of 200, JSON": drawn.pages(count, "json"),
    }
    client = Client(bench.server, bench.key)
    mirrored = {kind: bench.lists.mirror(client, paths) for kind, paths in kinds.items()}
    nginx = start_nginx(bench.tools["nginx"], bench.work, bench.lists.count)
    bench.running.append(nginx)
    other, rows = Client(nginx, bench.key), []
    for number, (kind, paths) in enumerate(kinds.items()):
        compare(client, other, paths, mirrored[kind])
        ours = bench.lists.write(f"{number}-ours", paths)
        of_nginx = bench.lists.write(f"{number}-nginx", mirrored[kind])
        size = bench.lists.mean_size(of_nginx)
        goal = GOALS[kind]
        for connections in CONNECTIONS:
            measured = in_turn(bench.given.rounds, {
                "nginx": bench.load(nginx, of_nginx, connections),
                OURS: bench.load(bench.server, ours, connections),
            })
            theirs, own = measured.values()
            ratio = Ratio(own, theirs, "rate")
            for each in theirs + own:
                # Error bodies may come with status 200: was as much sent as there is to send?
                # More is what had come of answers that were not finished when time was up.
                if each.size < 0.8 * size:
                    raise WrongAnswer(f"{kind}: {each.size:.0f} bytes an answer, not {size:.0f}")
            pairs = (f"{median(theirs, what):,.1f} / {median(own, what):,.1f}"
                     for what in ("server", "both"))
            rows.append([
                kind, str(connections), f"{median(own, 'size') / 1000:.1f}",
                f"{median(theirs, 'rate'):,.0f}", f"{median(own, 'rate'):,.0f}", str(ratio),
                f"{goal:.1f}", verdict(ratio.median >= goal), *pairs,
            ])
    client.close()
    other.close()
    table(
        "Beside nginx, which sends the same bytes from files",
        ["what", "connections", "KB", "nginx, answers/s", f"{OURS}, answers/s",
         "to nginx", "goal", "met", f"µs of processor an answer, nginx / {OURS}",
         "with wrk's"],
        rows,
        f"{count} different requests of each kind, asked in turn.",
    )


def cached(bench):
    """What the answer cache buys of repeated requests."""
    drawn, count, rows = bench.drawn, bench.given.requests, []
    without = bench.serve("no cache", "--answer-cache", "0")
    for kind, paths in (("RNP check", drawn.checks(count)), ("purchase card", drawn.cards(count))):
        requests = bench.lists.write(f"cached-{kind.split()[0]}", paths)
        for connections in CONNECTIONS:
            off, on = in_turn(bench.given.rounds, {
                "off": bench.load(without, requests, connections),
                "on": bench.load(bench.server, requests, connections),
            }).values()
            rows.append([
                kind, str(connections), f"{median(off, 'rate'):,.0f}", f"{median(on, 'rate'):,.0f}",
                str(Ratio(on, off, "rate")),
                f"{median(off, 'server'):.1f} / {median(on, 'server'):.1f}",
            ])
    without.end()
    table(
        "The answer cache, repeated requests",
        ["what", "connections", "off, answers/s", "on, answers/s", "on, to off",
         "µs of processor, off / on"],
        rows,
        f"{count} different requests of each kind, which all find room.",
    )


def started(bench, path, database):
    """Milliseconds from the start of a process to its first whole answer. The connection is
    tried again every 0.2 ms."""
    port = free_port()
    command = serve_command(bench.program, database, bench.keys, f"127.0.0.1:{port}")
    began = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, "RUST_LOG": "warn"}
    )
    server = Server(OURS, process, port)
    try:
        while True:
            try:
                Client(server, bench.key).data(path)
                return (time.monotonic() - began) * 1000
            except ConnectionRefusedError:
                if time.monotonic() > began + 60 or process.poll() is not None:
                    raise WrongAnswer("the server did not start")
                time.sleep(0.0002)
    finally:
        server.end()


def start(bench):
    """The server of the other points must have ended: what it maps of the database stays in
    memory whatever is asked of the system."""
    paths = bench.drawn.pages(1, "xml") + bench.drawn.checks(1)
    bench.end()
    rounds, cold = bench.given.rounds, []
    warm = [started(bench, paths[number % 2], bench.database) for number in range(2 * rounds + 1)]
    for _ in range(min(5, rounds)):
        with open(bench.database, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        cold.append(started(bench, paths[0], bench.database))
    middle = statistics.median(warm)
    bench.goal(f"start to first answer, {bench.given.contracts:,} contracts", "at most 50 ms",
               f"{middle:.1f} ms", middle <= 50)
    table(
        "From the start of the process to the first whole answer over a new connection, ms",
        ["", "median", "lowest", "highest"],
        [[name, f"{statistics.median(each):.1f}", f"{min(each):.1f}", f"{max(each):.1f}"]
         for name, each in (("warm", warm), ("cold", cold))],
        "Every other answer is a page of 200 contracts, the others are RNP checks; cold ones"
        " are pages, after the system was asked to forget the database's file"
        " (posix_fadvise); the program itself it still has.",
    )


def registry(bench):
    """How long a file with so many RNP entries takes to open: the whole registry is read."""
    entries = bench.given.entries
    large = data.registry(bench.program, bench.work, entries)
    path = "/rnp/check-supplier?supplierINN=960000000000&format=xml"
    times = [started(bench, path, large) for _ in range(2 * bench.given.rounds + 1)]
    middle = statistics.median(times)
    bench.goal(f"start to first answer, {entries:,} RNP entries", "at most 150 ms",
               f"{middle:.1f} ms ({min(times):.1f} to {max(times):.1f})", middle <= 150)


# In this order, whatever the order of --only.
POINTS = {"nginx": beside_nginx, "cached": cached, "start": start, "registry": registry}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--requests", type=int, default=300, help="different ones of a kind")
    parser.add_argument("--entries", type=int, default=300_000, help="of the point registry")
    parser.add_argument("--only", help="of " + ", ".join(POINTS))
    given = parser.parse_args()
    given.points = given.only.split(",") if given.only else list(POINTS)
    if not set(given.points) <= POINTS.keys():
        parser.error(f"--only: of {', '.join(POINTS)}")
    return given


def main():
    given = options()
    # What was started ends with it, whatever ends it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    bench = None
    try:
        bench = Bench(given, work)
        print(
            f"{given.contracts:,} contracts of {bench.suppliers:,} suppliers;"
            f" {given.rounds} rounds in turn, {given.seconds:g} s each;"
            f" {os.cpu_count()} cores, {WORKERS} workers a server; wrk with 2 threads (for 1"
            f" connection 1), keep-alive, no pipelining; load before:"
            f" {os.getloadavg()[0]:.1f}", flush=True,
        )
        for point, measure in POINTS.items():
            if point in given.points:
                measure(bench)
        size = bench.database.stat().st_size / given.contracts
        bench.goal("database, bytes a contract with everything", "at most 900", f"{size:.0f}",
                   size <= 900)
        table("Goals", ["what", "goal", "figure", "met"], bench.goals)
    except WrongAnswer as wrong:
        sys.exit(f"bench answers: {wrong}")
    finally:
        if bench:
            bench.end()
        shutil.rmtree(work)
