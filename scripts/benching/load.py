"""Loads of requests, measured in rounds in which the servers take turns, and tables of them."""

import json
import resource
import statistics
import subprocess
import sys
from pathlib import Path

LUA = Path(__file__).resolve().parent / "list.lua"


class WrongAnswer(Exception):
    """An answer that is not what it must be: nothing measured counts any more."""


class Measured:
    """What a server did in one round: answers/s, µs of processor time an answer (the
    server's, and that of server and load generator together), bytes an answer (head and body)."""

    def __init__(self, rate, server, both, size):
        self.rate, self.server, self.both, self.size = rate, server, both, size

    @property
    def time(self):
        """µs from one answer to the next."""
        return 1e6 / self.rate


def run(command, seconds):
    """Runs wrk for so long; its output, its seconds of processor time. wrk takes whole
    seconds only: SIGINT ends it, upon which it reports as always."""
    limit = ["timeout", "--preserve-status", "--signal=INT", str(seconds)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*limit, *command], stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"wrk ended with status {done.returncode}: {done.stdout}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def load(wrk, server, asked, connections, seconds):
    """One load of wrk's over so many connections: the requests of a file, one after the
    other and from the beginning again."""
    threads = min(2, connections)
    command = [
        wrk, f"-t{threads}", f"-c{connections}", "-d1h", "--timeout", "10s",
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

    def __init__(self, one, other, kind):
        self.rounds = sorted(getattr(a, kind) / getattr(b, kind) for a, b in zip(one, other))
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
