"""What all points of the benchmark use: the program, its server, its lists, the goals."""

import functools
import os
import subprocess
import sys

from . import answers, data
from .answers import Client, Lists
from .build import build
from .load import in_turn, load
from .servers import WORKERS, Server, start_nginx, tools

OURS = "procurement-lookup"


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


class Goals:
    """The table at the end: what, goal, figure, met."""

    def __init__(self):
        self.rows = []

    def add(self, what, goal, figure, met):
        self.rows.append([what, goal, figure, verdict(met)])

    def print(self):
        table("Goals", ["what", "goal", "figure", "met"], self.rows)


class Bench:
    """What all points use: the program, its server, the lists, what was measured."""

    def __init__(self, given, work):
        self.given, self.work = given, work
        self.tools = tools("wrk", "nginx")
        built, self.helper = build(given.profile)
        self.program = given.program or built
        self.folder = given.folder or work
        self.folder.mkdir(parents=True, exist_ok=True)
        self.goals, self.running = Goals(), []
        self.connections = [int(each) for each in given.connections.split(",")]
        self.keys = work / "keys.sqlite"
        issue = [self.program, "keys", "issue", "bench", "--keys", self.keys]
        self.key = subprocess.run(issue, check=True, capture_output=True, text=True).stdout.strip()
        self.lists = Lists(work, self.key)

    @functools.cached_property
    def big(self):
        given = self.given
        return data.made(self.program, given.profile, self.folder, given.contracts,
                         given.suppliers, given.seed)

    @functools.cached_property
    def small(self):
        given = self.given
        # Of a short trial all is small: then half as many contracts.
        contracts = min(given.small, given.contracts // 2)
        suppliers = max(10, given.suppliers * contracts // given.contracts)
        return data.made(self.program, given.profile, self.folder, contracts, suppliers, given.seed)

    @functools.cached_property
    def drawn(self):
        return data.Drawn(self.big.path, self.given.seed)

    @functools.cached_property
    def server(self):
        return self.serve(self.big)

    def command(self, imported, listen):
        return [
            self.program, "serve", "--database", imported.path, "--keys", self.keys,
            "--workers", str(WORKERS), "--rnp-rate", "0",
            "--listen", listen,
        ]

    def serve(self, imported, log="warn", errors=None, name=OURS, options=()):
        process = subprocess.Popen(
            [*self.command(imported, "127.0.0.1:0"), *options], stdout=subprocess.PIPE, stderr=errors,
            text=True, env={**os.environ, "RUST_LOG": log},
        )
        self.running.append(Server(name, process, 0))
        line = process.stdout.readline()
        if not line:
            sys.exit("serve did not start")
        self.running[-1].port = int(line.rsplit(":", 1)[1])
        return self.running[-1]

    def end(self):
        for server in self.running:
            server.end()

    def client(self, server):
        return Client(server, self.key)

    def load(self, server, requests, connections):
        return functools.partial(
            load, self.tools["wrk"], server, requests, connections, self.given.seconds
        )

    def in_turn(self, loads):
        """What each load gave, in rounds in which they take turns."""
        return in_turn(self.given.rounds, loads)

    @functools.cached_property
    def beside_nginx(self):
        """nginx, and of each kind of request the list for the program and the one of
        the same answers for nginx, each checked to give the same."""
        drawn, count = self.drawn, self.given.requests
        kinds = {
            "RNP check": drawn.checks(count),
            "purchase card": drawn.cards(count),
            "page of 200, XML": drawn.pages(count, "xml"),
            "page of 200, JSON": drawn.pages(count, "json"),
        }
        client = self.client(self.server)
        mirrored = {kind: self.lists.mirror(client, paths) for kind, paths in kinds.items()}
        nginx = start_nginx(self.tools["nginx"], self.work, self.lists.count)
        self.running.append(nginx)
        other, lists = self.client(nginx), {}
        for number, (kind, paths) in enumerate(kinds.items()):
            answers.compare(client, other, paths, mirrored[kind])
            lists[kind] = (
                self.lists.write(f"{number}-ours", paths),
                self.lists.write(f"{number}-nginx", mirrored[kind]),
            )
        client.close()
        other.close()
        return nginx, lists
