"""How fast the program answers from PostgreSQL, to the same data in a file.

Builds the program, generates the data, imports it, starts PostgreSQL in a temporary folder
(on the loopback address, without TLS, with a quarter of the memory for its buffers), publishes
the file to it, and starts `serve` twice with 2 workers: on the file, and on PostgreSQL. Then it
prints, over 1 connection and 8:

  an RNP check, a purchase card, a page of 200 contracts, none of them cached: the time from one
  answer to the next, from PostgreSQL to that from the file, and the latencies

  the same RNP checks from the cache

Every answer is compared first. All that is compared takes turns in rounds; figures are medians
of the rounds, a ratio is the median of each round's ratio, with the lowest and the highest in
brackets. PostgreSQL, the servers and the load generator share the machine. Exit status 1: an
answer was wrong, or an error.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import answers, data
from .bench import Bench, table, verdict
from .build import add_profile
from .load import Ratio, WrongAnswer, median
from .servers import PostgreSQL

# How many times the time of an answer from the file one from PostgreSQL may take.
GOALS = {"RNP check": 8, "purchase card": None, "page of 200, XML": 3}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--suppliers", type=int, help="default: one for 20 contracts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--requests", type=int, default=300, help="different ones of a kind")
    parser.add_argument("--folder", type=Path, help="keeps the database, and uses it again")
    parser.add_argument("--program", type=Path, help="instead of the one built here")
    given = parser.parse_args()
    if given.contracts < 4000 or given.rounds < 1 or given.seconds < 0.1 or given.requests < 4:
        parser.error("at least 4000 contracts, 1 round, 0.1 seconds, 4 requests")
    given.suppliers = given.suppliers or max(10, given.contracts // 20)
    given.connections = "1,8"
    return given


def compared(bench, kind, requests, servers):
    """The rows of one kind of request, and the medians of the ratios of times."""
    rows, ratios = [], []
    for connections in bench.connections:
        measured = bench.in_turn({
            f"{name}, {kind}, {connections}": bench.load(server, requests, connections)
            for name, server in servers.items()
        })
        file, postgresql = measured.values()
        ratio = Ratio(postgresql, file, lambda each: each.time)
        ratios.append((connections, ratio.median))
        rows.append([kind, str(connections), *(
            f"{median(file, what):,.{digits}f} / {median(postgresql, what):,.{digits}f}"
            for what, digits in (("time", 1), ("middle", 2), ("tail", 2), ("server", 1))
        ), str(ratio)])
    return rows, ratios


def measure(bench, published):
    drawn, count = bench.drawn, bench.given.requests
    kinds = {
        "RNP check": drawn.checks(count),
        "purchase card": drawn.cards(count),
        "page of 200, XML": drawn.pages(count, "xml"),
    }
    servers, cached = ({
        name: bench.serve(source, name=name, options=["--answer-cache", cache])
        for name, source in (("file", bench.big), ("PostgreSQL", published))
    } for cache in ("0", "64MB"))
    lists, rows = {}, []
    for kind, paths in kinds.items():
        lists[kind] = bench.lists.write(kind.split()[0], paths)
        for each in (servers, cached):
            one, other = (bench.client(server) for server in each.values())
            answers.compare(one, other, paths, paths)
            one.close()
            other.close()
    for kind, requests in lists.items():
        found, ratios = compared(bench, kind, requests, servers)
        goal = GOALS[kind]
        for row, (_, ratio) in zip(found, ratios):
            rows.append([*row, str(goal or "-"), verdict(ratio <= goal) if goal else "-"])
        if goal:
            bench.goals.add(
                f"{kind} from PostgreSQL", f"at most {goal} times the time from the file",
                ", ".join(f"{ratio:.2f} at {connections}" for connections, ratio in ratios),
                all(ratio <= goal for _, ratio in ratios),
            )
    heads = ["what", "connections", "µs from one answer to the next, file / PostgreSQL",
             "median latency, ms", "99th percentile, ms", "µs of the server's processor time",
             "time, to the file"]
    table("From PostgreSQL, to the file; nothing is cached", [*heads, "goal", "met"], rows,
          f"{count} different requests of each kind, asked in turn.")
    rows, _ = compared(bench, "RNP check", lists["RNP check"], cached)
    table("The same from the cache", heads, rows,
          "A server that answers from PostgreSQL asks it for the version of the data before"
          " each answer, also before one from the cache.")


def main():
    given = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    bench = postgresql = None
    try:
        work.chmod(0o755)
        bench = Bench(given, work)
        print(
            f"{given.contracts:,} contracts of {given.suppliers:,} suppliers, seed {given.seed};"
            f" {given.rounds} rounds in turn, {given.seconds:g} s each; {os.cpu_count()} cores;"
            f" load before: {os.getloadavg()[0]:.1f}", flush=True,
        )
        postgresql = PostgreSQL(work / "postgresql")
        subprocess.run([bench.program, "publish", "--database", bench.big.path,
                        "--to", postgresql.address], check=True, stdout=subprocess.DEVNULL)
        measure(bench, data.Imported(postgresql.address, bench.big.told))
        bench.goals.print()
    except WrongAnswer as wrong:
        sys.exit(f"bench postgresql: {wrong}")
    finally:
        if bench:
            bench.end()
        if postgresql:
            postgresql.end()
        shutil.rmtree(work)
