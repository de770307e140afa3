"""Measures how fast the program answers, compared with nginx sending the same bytes from files.

Builds the program, generates and imports the data, starts `serve` and nginx with 2 workers each,
and measures

  nginx        RNP checks, purchase cards and pages of 200 contracts, compared with nginx
  cached       repeated requests with and without the answer cache
  start        time from starting the process to the first response
  registry     the same for a database with many RNP entries, all of which are read at start

and finally prints a table of the remaining goals and figures. `bench builds` measures filters,
sorting, summaries and deep pages. Rounds are interleaved, and each round starts with a different
server. Each figure is the median of all rounds; a ratio is the median of the per-round ratios, with
the lowest and the highest in brackets. The load generator, wrk, competes for the same cores, so CPU
time per response is printed beside the rates. On a busy machine, trust the CPU time more.

Exit status 1: a response was wrong or an error.
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
from .answers import Client, RequestLists, compare
from .build import add_profile, build
from .load import Ratio, WrongAnswer, interleave, load, median, table, verdict
from .servers import (
    WORKERS, Server, free_port, issued_key, serve, serve_command, start_nginx, tools,
)

OURS = "procurement-lookup"
CONNECTIONS = (8, 64)
# Target share of nginx's request rate.
GOALS = {"RNP check": 0.9, "purchase card": 0.5, "page of 200, XML": 0.7, "page of 200, JSON": 0.7}


class Bench:
    """What all measurements share: the program, its data, the running servers, and the goals that
    were met."""

    def __init__(self, args, work):
        self.args, self.work = args, work
        self.tools = tools("wrk", "nginx")
        self.program, _ = build(args.profile)
        self.goals, self.running = [], []
        self.keys = work / "keys.sqlite"
        self.key = issued_key(self.program, self.keys)
        self.lists = RequestLists(work, self.key)
        self.suppliers = max(10, args.contracts // 20)
        self.database = data.generate_database(self.program, args.profile, work, args.contracts, self.suppliers)
        self.sampler = data.RequestSampler(self.database)

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
            load, self.tools["wrk"], server, requests, connections, self.args.seconds
        )

    def goal(self, what, goal, figure, met):
        self.goals.append([what, goal, figure, verdict(met)])


def compare_with_nginx(bench):
    """Compares the program with nginx, which serves the same responses from files."""
    sampler, count = bench.sampler, bench.args.requests
    kinds = {
        "RNP check": sampler.checks(count),
        "purchase card": sampler.cards(count),
        "page of 200, XML": sampler.pages(count, "xml"),
        "page of 200, JSON": sampler.pages(count, "json"),
    }
    client = Client(bench.server, bench.key)
    mirrored = {kind: bench.lists.mirror(client, paths) for kind, paths in kinds.items()}
    nginx = start_nginx(bench.tools["nginx"], bench.work, bench.lists.count)
    bench.running.append(nginx)
    other = Client(nginx, bench.key)
    for kind, paths in kinds.items():
        compare(client, other, paths, mirrored[kind])
    # Both servers close connections that are idle for as long as the measurements take.
    client.close()
    other.close()
    rows = []
    for number, (kind, paths) in enumerate(kinds.items()):
        ours = bench.lists.write(f"{number}-ours", paths)
        nginx_requests = bench.lists.write(f"{number}-nginx", mirrored[kind])
        size = bench.lists.mean_size(nginx_requests)
        goal = GOALS[kind]
        for connections in CONNECTIONS:
            measured = interleave(bench.args.rounds, {
                "nginx": bench.load(nginx, nginx_requests, connections),
                OURS: bench.load(bench.server, ours, connections),
            })
            theirs, own = measured.values()
            ratio = Ratio(own, theirs, "rate")
            for each in theirs + own:
                # Errors can have status 200, but their bodies are short, so check the mean size.
                # The mean can exceed `size`, because bytes of responses that were cut off at the
                # end count too.
                if each.size < 0.8 * size:
                    raise WrongAnswer(f"{kind}: {each.size:.0f} bytes an answer, not {size:.0f}")
            pairs = (f"{median(theirs, what):,.1f} / {median(own, what):,.1f}"
                     for what in ("server", "both"))
            rows.append([
                kind, str(connections), f"{median(own, 'size') / 1000:.1f}",
                f"{median(theirs, 'rate'):,.0f}", f"{median(own, 'rate'):,.0f}", str(ratio),
                f"{goal:.1f}", verdict(ratio.median >= goal), *pairs,
            ])
    table(
        "Compared with nginx, which sends the same bytes from files",
        ["what", "connections", "KB", "nginx, answers/s", f"{OURS}, answers/s",
         "ratio to nginx", "goal", "met", f"CPU µs per answer, nginx / {OURS}",
         "including wrk"],
        rows,
        f"{count} different requests of each kind, repeated in order.",
    )


def cached(bench):
    """Measures repeated requests with and without the answer cache."""
    sampler, count, rows = bench.sampler, bench.args.requests, []
    without = bench.serve("no cache", "--answer-cache", "0")
    for kind, paths in (("RNP check", sampler.checks(count)), ("purchase card", sampler.cards(count))):
        requests = bench.lists.write(f"cached-{kind.split()[0]}", paths)
        for connections in CONNECTIONS:
            off, on = interleave(bench.args.rounds, {
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
        ["what", "connections", "off, answers/s", "on, answers/s", "on / off",
         "CPU µs per answer, off / on"],
        rows,
        f"{count} different requests of each kind; all responses fit in the cache.",
    )


def start_time(bench, path, database):
    """Returns the milliseconds from starting a process to its first complete response. Retries the
    connection every 0.2 ms."""
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
    """Measures the time to the first response, with the file in the page cache and without. Stops
    the other servers first, because pages of the database that they map cannot be evicted from
    memory."""
    paths = bench.sampler.pages(1, "xml") + bench.sampler.checks(1)
    bench.end()
    rounds, cold = bench.args.rounds, []
    warm = [start_time(bench, paths[number % 2], bench.database) for number in range(2 * rounds + 1)]
    for _ in range(min(5, rounds)):
        with open(bench.database, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        cold.append(start_time(bench, paths[0], bench.database))
    middle = statistics.median(warm)
    bench.goal(f"start to first answer, {bench.args.contracts:,} contracts", "at most 50 ms",
               f"{middle:.1f} ms", middle <= 50)
    table(
        "From starting the process to the first complete answer over a new connection, ms",
        ["", "median", "lowest", "highest"],
        [[name, f"{statistics.median(each):.1f}", f"{min(each):.1f}", f"{max(each):.1f}"]
         for name, each in (("warm", warm), ("cold", cold))],
        "Warm: pages of 200 contracts and RNP checks alternately. Cold: pages of 200, after"
        " posix_fadvise dropped the database from the page cache; the program file stays cached.",
    )


def registry(bench):
    """Measures how long it takes to open a file with many RNP entries, all of which the server
    reads."""
    entries = bench.args.entries
    large = data.generate_registry(bench.program, bench.work, entries)
    path = "/rnp/check-supplier?supplierINN=960000000000&format=xml"
    times = [start_time(bench, path, large) for _ in range(2 * bench.args.rounds + 1)]
    middle = statistics.median(times)
    bench.goal(f"start to first answer, {entries:,} RNP entries", "at most 150 ms",
               f"{middle:.1f} ms ({min(times):.1f} to {max(times):.1f})", middle <= 150)


# Keep this order: `start` stops the servers that the first two measurements use.
MEASUREMENTS = {"nginx": compare_with_nginx, "cached": cached, "start": start, "registry": registry}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="duration of each measurement")
    parser.add_argument("--requests", type=int, default=300, help="different requests of each kind")
    parser.add_argument("--entries", type=int, default=300_000, help="RNP entries, for registry")
    parser.add_argument("--only", help="comma-separated list of " + ", ".join(MEASUREMENTS))
    args = parser.parse_args()
    args.measurements = args.only.split(",") if args.only else list(MEASUREMENTS)
    if not set(args.measurements) <= MEASUREMENTS.keys():
        parser.error(f"--only: choose from {', '.join(MEASUREMENTS)}")
    return args


def main():
    args = options()
    # Turn SIGTERM into SystemExit, so that the servers are stopped and the folder is removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    bench = None
    try:
        bench = Bench(args, work)
        print(
            f"{args.contracts:,} contracts of {bench.suppliers:,} suppliers;"
            f" {args.rounds} interleaved rounds of {args.seconds:g} s;"
            f" {os.cpu_count()} cores, {WORKERS} workers per server; wrk with 2 threads (1 for 1"
            f" connection), keep-alive, no pipelining; load average before:"
            f" {os.getloadavg()[0]:.1f}", flush=True,
        )
        for point, measure in MEASUREMENTS.items():
            if point in args.measurements:
                measure(bench)
        size = bench.database.stat().st_size / args.contracts
        bench.goal("database, bytes per contract, everything included", "at most 900", f"{size:.0f}",
                   size <= 900)
        table("Goals", ["what", "goal", "figure", "met"], bench.goals)
    except WrongAnswer as wrong:
        sys.exit(f"bench answers: {wrong}")
    finally:
        if bench:
            bench.end()
        shutil.rmtree(work)
