"""Loads of requests, measured in rounds in which the servers take turns, and tables of them."""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

LUA = Path(__file__).resolve().parent / "list.lua"


class WrongAnswer(Exception):
    """An answer that is not what it must be: nothing measured counts any more."""


class Measured:
    """What a server did in one round: answers/s, µs of processor time an answer (the
    server's, and that of server and load generator together), 99th percentile of the
    latency in ms, bytes an answer (head and body)."""

    def __init__(self, rate, server, both, tail, size):
        self.rate, self.server, self.both = rate, server, both
        self.tail, self.size = tail, size

    @property
    def time(self):
        """µs from one answer to the next."""
        return 1e6 / self.rate


def run(command, seconds):
    """Runs wrk for so long; its output, its seconds of processor time. wrk takes whole
    seconds only: what is shorter, or between, is ended by SIGINT, upon which it
    reports as always."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if not float(seconds).is_integer():
        time.sleep(seconds)
        # Not by `send_signal`, which takes the status of a process that has ended.
        os.kill(process.pid, signal.SIGINT)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode != 0:
        sys.exit(f"wrk ended with status {process.returncode}: {out}")
    return out, usage.ru_utime + usage.ru_stime


def load(wrk, server, asked, connections, seconds):
    """One load of wrk's over so many connections: the requests of a file, one after the
    other and from the beginning again."""
    threads = min(2, connections)
    whole = max(1, -int(-seconds // 1))
    command = [
        wrk, f"-t{threads}", f"-c{connections}", f"-d{whole}s", "--timeout", "10s",
        "-s", LUA, f"http://127.0.0.1:{server.port}", "--", asked,
    ]
    before = server.processor_time()
    out, asking = run(command, seconds)
    answering = server.processor_time() - before
    told = json.loads(out.splitlines()[-1])
    if told["refused"] or told["socket_errors"] or not told["answers"]:
        raise WrongAnswer(f"{server.name}, {connections} connections, {asked}: {told}")
    count = told["answers"]
    return Measured(
        count / told["microseconds"] * 1e6,
        answering / count * 1e6,
        (answering + asking) / count * 1e6,
        told["p99"] / 1000,
        told["bytes"] / count,
    )


def in_turn(rounds, loads):
    """Of each name a list of what its load gave, one a round. Each round goes through
    all of them, beginning with another one each time."""
    measured = {name: [] for name in loads}
    names = list(loads)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            measured[name].append(loads[name]())
    return measured


def median(rounds, kind):
    return statistics.median(getattr(each, kind) for each in rounds)


class Ratio:
    """The median, the lowest and the highest of each round's ratio."""

    def __init__(self, one, other, value):
        self.rounds = sorted(value(a) / value(b) for a, b in zip(one, other))
        self.median = statistics.median(self.rounds)

    def __str__(self):
        return f"{self.median:.2f} ({self.rounds[0]:.2f} to {self.rounds[-1]:.2f})"


def table(title, heads, rows, *notes):
    print(f"\n**{title}**\n")
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    for note in notes:
        print(f"\n{note}")
    sys.stdout.flush()


def verdict(met):
    return "yes" if met else "**no**"
