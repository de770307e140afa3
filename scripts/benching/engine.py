"""How fast the engine is: static bytes through it, through tiny_http, and from nginx.

Each with 2 workers, on free ports of 127.0.0.1; wrk asks each for 400 B and 300 KB over 1,
8, 64 and 256 connections. A round asks all servers one after the other, each time beginning with
another; printed are the medians of all rounds in answers/s, and the medians of each
round's ratio to nginx. wrk runs on the same machine, and takes its part of it.

Beside them is the processor time of an answer, of the server alone and with wrk's.
Where other programs want the processors too, trust that and not the rates: tiny_http
has a thread for each connection, and so gets a larger share than two workers do.
"""

import argparse
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .build import add_profile, build
from .load import Ratio, WrongAnswer, in_turn, load, median
from .servers import WORKERS, Server, start_nginx, tools

SIZES = {"400": 400, "300k": 300 << 10}


# The engines' names in the table, and as the program has them.
ENGINES = {"engine": "bounded", "tiny_http": "tiny-http"}


def start_engine(helper, engine):
    command = [helper, "static-bytes", str(WORKERS), engine]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    return process, int(line.rsplit(":", 1)[1])


def start_files(nginx, folder):
    files = folder / "files"
    files.mkdir()
    for name, size in SIZES.items():
        (files / name).write_bytes(b"x" * size)
    return start_nginx(nginx, folder, len(SIZES))


def measure(given, wrk, servers, path, connections):
    """Of each server's name a list of Measured, one a round."""
    return in_turn(given.rounds, {
        server.name: functools.partial(
            load, wrk, server, f"/{path}", connections, given.seconds)
        for server in servers
    })


def row(path, connections, measured):
    def medians(kind, digits):
        for rounds in measured.values():
            yield f"{median(rounds, kind):,.{digits}f}"

    cells = ["400 B" if path == "400" else "300 KB", str(connections)]
    cells += medians("rate", 0)
    for name, rounds in measured.items():
        if name != "nginx":
            cells.append(str(Ratio(rounds, measured["nginx"], lambda each: each.rate)))
    cells.append(" / ".join(medians("server", 1)))
    cells.append(" / ".join(medians("both", 1)))
    cells.append(" / ".join(medians("tail", 2)))
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--connections", default="1,8,64,256")
    add_profile(parser)
    given = parser.parse_args()
    found = tools("wrk", "nginx")
    _, helper = build(given.profile)
    folder = Path(tempfile.mkdtemp(prefix="bench-engine-"))
    servers = []
    try:
        servers.append(start_files(found["nginx"], folder))
        for name, engine in ENGINES.items():
            servers.append(Server(name, *start_engine(helper, engine)))
        bench(given, found["wrk"], servers)
    except WrongAnswer as wrong:
        sys.exit(f"bench engine: {wrong}")
    finally:
        for server in servers:
            server.end()
        shutil.rmtree(folder)


def bench(given, wrk, servers):
    print(
        f"{given.rounds} alternating rounds of {given.seconds:g} s; {os.cpu_count()} cores, "
        f"{WORKERS} workers a server; wrk -t2 (with 1 connection -t1) -d{given.seconds:g}s, "
        f"keep-alive, no pipelining; load before: {os.getloadavg()[0]:.1f}\n"
    )
    names = [server.name for server in servers]
    order = " / ".join(names)
    heads = ["size", "connections", *(f"{name}, answers/s" for name in names)]
    heads += [f"{name} to nginx" for name in names if name != "nginx"]
    heads += [f"µs of processor an answer, {order}", "with wrk's", "99th percentile, ms"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for path in SIZES:
        for connections in map(int, given.connections.split(",")):
            row(path, connections, measure(given, wrk, servers, path, connections))
