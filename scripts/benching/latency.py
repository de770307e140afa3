"""The points that are times: latency at half of full load, start to first answer."""

import functools
import json
import os
import statistics
import subprocess
import sys
import time

from . import answers, data
from .bench import OURS, table, verdict
from .load import WrongAnswer, median
from .servers import free_port


def steady(bench, server, requests, rate, connections):
    """One load at a fixed rate, and what steady-load tells of it."""
    # A second has enough requests to tell a 99th percentile, pages too.
    seconds = max(bench.given.seconds, 0.5, 200 / rate)
    command = [
        bench.helper, "steady-load", f"127.0.0.1:{server.port}", requests,
        str(rate), str(connections), str(seconds),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if "unanswered" in done.stderr:
        # Too much for it, which is no wrong answer: no figure, and no goal met.
        print(f"{server.name}, {requests.name}: {done.stderr}", file=sys.stderr)
        return dict.fromkeys(("p50", "p99", "net_p50", "net_p99", "late_p50", "late_p99"),
                             float("nan"))
    if done.returncode != 0:
        raise WrongAnswer(f"{server.name}, {requests.name}, {rate} a second: {done.stderr}")
    return json.loads(done.stdout)


def tail(bench):
    """Point 4: latency at half of full load."""
    nginx, lists = bench.beside_nginx
    connections, rows, worst = max(bench.connections), [], []
    for kind, (ours, of_nginx) in lists.items():
        full = getattr(bench, "full", {}).get(kind)
        if not full:
            rounds = bench.in_turn({
                f"full, {kind}": bench.load(bench.server, ours, connections)
            })
            full = median(*rounds.values(), "rate")
        rate = max(1, int(full / 2))
        measured = bench.in_turn({
            f"nginx, {kind}": functools.partial(
                steady, bench, nginx, of_nginx, rate, connections),
            f"{OURS}, {kind}": functools.partial(
                steady, bench, bench.server, ours, rate, connections),
        })
        cells, ratios = [], []
        for rounds in measured.values():
            def middle(value):
                return statistics.median(value(each) for each in rounds)

            ratios.append(middle(lambda each: each["p99"] / each["p50"]))
            cells.append([
                f"{middle(lambda each: each['p50']):,.0f}",
                f"{middle(lambda each: each['p99']):,.0f}",
                f"{ratios[-1]:.1f}",
                f"{middle(lambda each: each['net_p99'] / each['net_p50']):.1f}",
                f"{middle(lambda each: each['late_p50']):,.0f}, "
                f"{middle(lambda each: each['late_p99']):,.0f}",
            ])
        worst.append((kind, ratios[-1]))
        rows.append([kind, f"{rate:,}", *cells[1], "5", verdict(ratios[-1] <= 5), *cells[0][:4]])
    bench.goals.add(
        "99th percentile at half of full load, to the median", "at most 5 times",
        ", ".join(f"{ratio:.1f} ({kind})" for kind, ratio in worst),
        max(ratio for _, ratio in worst) <= 5,
    )
    table(
        f"Latency at half of full load, {connections} connections",
        ["what", "requests/s", "median, µs", "99th percentile, µs", "ratio", "net ratio",
         "late by (median, 99th), µs", "goal", "met", "nginx at that rate: median, µs",
         "99th percentile, µs", "ratio", "net ratio"],
        rows,
        "Requests are sent evenly at a fixed rate, half of what wrk reached above over as"
        " many connections, and the latency counts from when a request was due"
        " (tests/benches/helper/steady_load.rs). How late the load generator itself was, while"
        " connections were free, stands beside it; the net ratio is that of the latencies"
        " without it. nginx has the same requests at the same rate, for what the machine"
        " and the load generator make of it.",
    )


def started(bench, path, imported):
    """Milliseconds from the start of a process to its first whole answer."""
    port = free_port()
    command = bench.command(imported, f"127.0.0.1:{port}")
    request = answers.wire(path, bench.key)
    began = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, "RUST_LOG": "warn"}
    )
    try:
        ended = answers.first_answer(("127.0.0.1", port), request, began + 60)
        if process.poll() is not None:
            raise WrongAnswer(f"serve ended with status {process.returncode}")
    finally:
        process.terminate()
        process.wait()
    return (ended - began) * 1000


def start(bench):
    """Point 6. The server of the other points must have ended: what it maps of the
    database stays in memory whatever is asked of the system."""
    paths = bench.drawn.pages(1, "xml") + bench.drawn.checks(1)
    bench.end()
    times, cold = [], []
    for number in range(2 * bench.given.rounds + 1):
        times.append(started(bench, paths[number % 2], bench.big))
    for number in range(min(5, bench.given.rounds)):
        with open(bench.big.path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        cold.append(started(bench, paths[0], bench.big))
    middle = statistics.median(times)
    bench.goals.add(
        f"start to first answer, {bench.big.told['contracts']:,} contracts", "at most 50 ms",
        f"{middle:.1f} ms", middle <= 50,
    )
    table(
        "From the start of the process to the first whole answer over a new connection, ms",
        ["", "median", "lowest", "highest"],
        [[name, f"{statistics.median(each):.1f}", f"{min(each):.1f}", f"{max(each):.1f}"]
         for name, each in (("warm", times), ("cold", cold))],
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
    bench.goals.add(
        f"start to first answer, {entries:,} RNP entries", "at most 150 ms",
        f"{middle:.1f} ms ({min(times):.1f} to {max(times):.1f})", middle <= 150,
    )
