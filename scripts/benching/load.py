"""Measures servers under load in interleaved rounds, and prints tables of results."""

import json
import resource
import statistics
import subprocess
import sys
from pathlib import Path

LUA = Path(__file__).resolve().parent / "list.lua"


class WrongAnswer(Exception):
    """A server sent an error or unexpected bytes, so the measurements mean nothing."""


class Measurement:
    """The load of one server in one round: responses per second; CPU time per response in µs, of
    the server alone (`server`) and together with wrk (`both`); bytes per response, including the
    head."""

    def __init__(self, rate, server, both, size):
        self.rate, self.server, self.both, self.size = rate, server, both, size

    @property
    def time(self):
        """Returns the mean time between responses, in µs."""
        return 1e6 / self.rate


def run(command, seconds):
    """Runs a wrk command for `seconds`, and returns its output and its CPU seconds. wrk only
    accepts whole seconds, so SIGINT stops it; it prints its report even then."""
    limit = ["timeout", "--preserve-status", "--signal=INT", str(seconds)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*limit, *command], stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"wrk ended with status {done.returncode}: {done.stdout}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def load(wrk, server, asked, connections, seconds):
    """Runs wrk once. It sends the requests in the file `asked` in order, over and over."""
    threads = min(2, connections)
    command = [
        wrk, f"-t{threads}", f"-c{connections}", "-d1h", "--timeout", "10s",
        "-s", LUA, f"http://127.0.0.1:{server.port}", "--", asked,
    ]
    before = server.processor_time()
    out, client_time = run(command, seconds)
    server_time = server.processor_time() - before
    report = json.loads(out.splitlines()[-1])
    if report["refused"] or report["socket_errors"] or not report["answers"]:
        raise WrongAnswer(f"{server.name}, {connections} connections, {asked}: {report}")
    count = report["answers"]
    return Measurement(
        count / report["microseconds"] * 1e6,
        server_time / count * 1e6,
        (server_time + client_time) / count * 1e6,
        report["bytes"] / count,
    )


def interleave(rounds, loads):
    """Calls every function in `loads` once per round, and returns a list of results for each name.
    Each round starts with a different function."""
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
    """Ratio of one server to another: the median over all rounds, the lowest and the highest."""

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
