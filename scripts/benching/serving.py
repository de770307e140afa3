"""How fast the program answers: beside nginx, which sends the same bytes from files.

Builds the program, generates the data, imports it, starts `serve` with 2 workers and
nginx with 2, and prints one table of Markdown for each of

  nginx        an RNP check, a purchase card, a page of 200 contracts, beside nginx
  depth        the page at the deepest skip of the largest supplier, and at skip 0
  size         pages of this database, and of one with 100,000 contracts
  tail         the 99th percentile of the latency at half of full load, to the median
  conditional  304 beside 200
  encodings    pages by Accept-Encoding: bytes and time
  cached       what the answer cache buys of repeated requests
  log          what the access log costs
  filters      filtered and ordered pages of the largest supplier, and its summary
  start        from the start of the process to the first answer
  registry     the same of a database with many RNP entries, which are read whole

and, at the end, one of goals and figures. All that is compared takes turns in rounds: each round begins with
another one; figures are medians of the rounds, a ratio is the median of each round's
ratio, with the lowest and the highest in brackets. The load generator, wrk, runs on the
same machine and takes its part of it, so that the processor time of an answer stands
beside the rates: where other programs want the processors, trust that first.

With --folder the databases are kept there, and used again. Exit status 1: an answer was
wrong, or an error.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from . import filters, latency, rates
from .bench import Bench
from .build import add_profile
from .load import WrongAnswer
from .servers import WORKERS

# In this order, whatever the order of --only.
RUN = {
    "nginx": rates.beside_nginx,
    "depth": rates.depth,
    "size": rates.by_size,
    "tail": latency.tail,
    "conditional": rates.conditional,
    "encodings": rates.encodings,
    "cached": rates.cached,
    "log": rates.log,
    "filters": filters.filters,
    "start": latency.start,
    "registry": latency.registry,
}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--suppliers", type=int, help="default: one for 20 contracts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--connections", default="8,64")
    parser.add_argument("--requests", type=int, default=300, help="different ones of a kind")
    parser.add_argument("--entries", type=int, default=300_000, help="of the point registry")
    parser.add_argument("--small", type=int, default=100_000, help="contracts of the small one")
    parser.add_argument("--only", help="of " + ", ".join(RUN))
    parser.add_argument("--folder", type=Path, help="keeps the databases, and uses them again")
    parser.add_argument("--program", type=Path, help="instead of the one built here")
    given = parser.parse_args()
    given.points = given.only.split(",") if given.only else list(RUN)
    if not set(given.points) <= RUN.keys():
        parser.error(f"--only: of {', '.join(RUN)}")
    if given.contracts < 4000 or given.rounds < 1 or given.seconds < 0.1 or given.requests < 4:
        parser.error("at least 4000 contracts, 1 round, 0.1 seconds, 4 requests")
    given.suppliers = given.suppliers or max(10, given.contracts // 20)
    return given


def imported(bench):
    """How fast the database was imported from lines, and how large it is."""
    big = bench.big
    bench.goals.add("database, bytes a contract with everything", "at most 900",
                    f"{big.bytes_a_contract:.0f}", big.bytes_a_contract <= 900)
    bench.goals.add(f"import of JSON Lines from a {big.told['read']}, contracts a second",
                    "at least 60,000", f"{big.rate:,.0f}", big.rate >= 60_000)


def main():
    given = options()
    # What was started ends with it, whatever ends it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    bench = None
    try:
        bench = Bench(given, work)
        print(
            f"{given.contracts:,} contracts of {given.suppliers:,} suppliers, seed"
            f" {given.seed}; {given.rounds} rounds in turn, {given.seconds:g} s each;"
            f" {os.cpu_count()} cores, {WORKERS} workers a server; wrk with 2 threads (for 1"
            f" connection 1), keep-alive, no pipelining; load before:"
            f" {os.getloadavg()[0]:.1f}", flush=True,
        )
        for point, measure in RUN.items():
            if point in given.points:
                measure(bench)
        imported(bench)
        bench.goals.print()
    except WrongAnswer as wrong:
        sys.exit(f"bench answers: {wrong}")
    finally:
        if bench:
            bench.end()
        shutil.rmtree(work)
