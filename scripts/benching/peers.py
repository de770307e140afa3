"""Datasette beside the program: the same records in plain typed tables.

The tables are what one would make of these records for Datasette: a column for each
field, typed; what is nested in an object is a column too, and lists are JSON. The
indexes are those that the queries want. The queries are canned, and ask for nothing but
rows: no count of a supplier's contracts, no nesting, no facets, no HTML.
"""

import json
import sqlite3
import subprocess
import sys
import time
import urllib.parse

from . import data
from .answers import Client
from .bench import OURS, table, verdict
from .build import TARGET, generate
from .load import Ratio, WrongAnswer, median
from .servers import WORKERS, Server, free_port

VERSION = "0.65.5"
# Row by row, without reading anything but the index up to there.
QUERIES = {
    "page": "SELECT * FROM contract WHERE supplier_inn = :inn"
            " ORDER BY signDate DESC, regNum DESC LIMIT 200 OFFSET :skip",
    "check": "SELECT * FROM rnpEntry WHERE supplier_inn = :inn AND registrationDate <= date()"
             " AND (excludeDate IS NULL OR excludeDate >= date())"
             " ORDER BY registrationDate DESC, registrationNumber DESC",
    **{f"card{shape}": f"SELECT * FROM purchase{shape} WHERE purchaseNumber = :number"
       for shape in ("44", "223", "615")},
}
INDEXES = [
    "CREATE INDEX contract_of_supplier ON contract (supplier_inn, signDate DESC, regNum DESC)",
    "CREATE INDEX entry_of_supplier ON rnpEntry (supplier_inn)",
    *(f"CREATE UNIQUE INDEX number_of_{shape} ON purchase{shape} (purchaseNumber)"
      for shape in ("44", "223", "615")),
]


def installed():
    """The program `datasette`, installed on first use beside the built program."""
    folder = TARGET / f"bench-datasette-{VERSION}"
    program = folder / "bin/datasette"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin/pip", "install", "--quiet", f"datasette=={VERSION}"]
        subprocess.run(pip, check=True)
    return program


def flat(record, prefix=""):
    """A record's fields as columns."""
    row = {}
    for name, value in record.items():
        if isinstance(value, dict) and not any(
            isinstance(inner, (dict, list)) for inner in value.values()
        ):
            row.update(flat(value, f"{prefix}{name}_"))
        elif isinstance(value, (dict, list)):
            row[prefix + name] = json.dumps(value, ensure_ascii=False)
        else:
            row[prefix + name] = value
    return row


def rows(lines):
    """Of each line of JSON its table and its row."""
    with open(lines, encoding="utf-8") as file:
        for line in file:
            told = json.loads(line)
            kind = told.pop("type")
            supplier = {f"supplier_{name}": value for name, value in
                        told.pop("supplier", {}).items()}
            record = next(iter(told.values()), {})
            yield kind, {**supplier, **flat(record)}


def types(lines):
    """Of each table its columns, and the type of each."""
    tables = {}
    for kind, row in rows(lines):
        columns = tables.setdefault(kind, {})
        for name, value in row.items():
            # None says nothing; an amount that is whole now and then is no integer.
            seen = {int: 1, bool: 1, float: 2, str: 3}.get(type(value), 0)
            columns[name] = max(columns.get(name, 0), seen)
    named = {0: "TEXT", 1: "INTEGER", 2: "REAL", 3: "TEXT"}
    return {kind: {name: named[seen] for name, seen in columns.items()}
            for kind, columns in tables.items()}


def fill(lines, database):
    """Makes the database of a file of JSON Lines."""
    tables = types(lines)
    connection = sqlite3.connect(database)
    for kind, columns in tables.items():
        listed = ", ".join(f'"{name}" {type}' for name, type in columns.items())
        connection.execute(f"CREATE TABLE {kind} ({listed})")
    into = {
        kind: f"INSERT INTO {kind} VALUES ({', '.join('?' * len(columns))})"
        for kind, columns in tables.items()
    }
    for kind, row in rows(lines):
        connection.execute(into[kind], [row.get(name) for name in tables[kind]])
    for index in INDEXES:
        connection.execute(index)
    connection.execute("ANALYZE")
    connection.commit()
    connection.execute("VACUUM")
    connection.close()


def start(program, database, folder):
    """Datasette, as it says it is run: one process, the file immutable."""
    metadata = folder / "metadata.json"
    queries = {name: {"sql": sql} for name, sql in QUERIES.items()}
    metadata.write_text(json.dumps({"databases": {database.stem: {"queries": queries}}}))
    port = free_port()
    settings = {
        "max_returned_rows": 1000, "sql_time_limit_ms": 10000, "allow_facet": "off",
        "suggest_facets": "off", "cache_size_kb": 65536,
    }
    command = [program, "serve", "-i", database, "-m", metadata, "-p", str(port)]
    for name, value in settings.items():
        command += ["--setting", name, str(value)]
    with open(folder / "datasette.log", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    server = Server("Datasette", process, port)
    deadline = time.monotonic() + 30
    while True:
        client = Client(server, "none")
        try:
            client.ask("/-/versions.json")
            return server
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                server.end()
                sys.exit(f"datasette: {(folder / 'datasette.log').read_text()}")
            time.sleep(0.1)
        finally:
            client.close()


def same(path, stem):
    """The path at which Datasette answers what the program answers at `path`."""
    endpoint, _, query = path.partition("?")
    given = dict(urllib.parse.parse_qsl(query))
    if endpoint.startswith("/purchase/"):
        number = given["purchaseNumber"]
        shape = {19: "44", 11: "223", 18: "615"}[len(number)]
        return f"/{stem}/card{shape}.json?_shape=array&number={number}"
    inn = given["supplierINN"]
    if endpoint.startswith("/rnp/"):
        return f"/{stem}/check.json?_shape=array&inn={inn}"
    return f"/{stem}/page.json?_shape=array&inn={inn}&skip={given['skip']}"


def compare(ours, theirs, paths, their_paths):
    """Do both answer with the same records, in the same order?"""
    for path, their_path in zip(paths, their_paths):
        a = json.loads(ours.data(path).body)
        answer = theirs.ask(their_path)
        b = json.loads(answer.body) if answer.status == 200 else None
        if "contracts" in a:
            expected, name = [each["regNum"] for each in a["contracts"]], "regNum"
        elif "entries" in a:
            name = "registrationNumber"
            expected = [each[name] for each in a["entries"]]
        else:
            name = "purchaseNumber"
            card = a if name in a else next(iter(a.values()))
            expected = [card[name]]
        if b is None or [each[name] for each in b] != expected:
            raise WrongAnswer(f"{path}, and Datasette's {their_path}: {answer.body[:200]!r}")


def beside_datasette(bench):
    """--peers: the same queries, of the same records, JSON, 8 connections."""
    given = bench.given
    contracts = min(given.small, given.contracts)
    suppliers = max(10, given.suppliers * contracts // given.contracts)
    program = installed()
    imported = data.made(bench.program, given.profile, bench.folder, contracts, suppliers, given.seed)
    lines, database = bench.work / "lines.jsonl", bench.work / "records.sqlite"
    with open(lines, "wb") as out:
        subprocess.run(generate(given.profile, contracts, suppliers, given.seed),
                       stdout=out, check=True)
    fill(lines, database)
    lines.unlink()
    theirs = start(program, database, bench.work)
    bench.running.append(theirs)
    ours = bench.serve(imported)
    one, other = bench.client(ours), Client(theirs, bench.key)
    drawn, count, rows, ratios = data.Drawn(imported.path, given.seed), given.requests, [], []
    for kind, paths in {
        "RNP check": drawn.checks(count, "json"),
        "purchase card": drawn.cards(count, "json"),
        "page of 200": drawn.pages(count, "json"),
    }.items():
        their_paths = [same(path, database.stem) for path in paths]
        compare(one, other, paths, their_paths)
        name = kind.replace(" ", "-")
        lists = {
            "Datasette": (theirs, bench.lists.write(f"datasette-{name}", their_paths)),
            OURS: (ours, bench.lists.write(f"peer-{name}", paths)),
        }
        measured = bench.in_turn("peers", {
            f"{server}, {kind}": bench.load(*asked, 8) for server, asked in lists.items()
        })
        slow, fast = measured.values()
        ratio = Ratio(fast, slow, lambda each: each.rate)
        ratios.append(ratio.median)
        rows.append([
            kind, f"{median(slow, 'size') / 1000:.1f} / {median(fast, 'size') / 1000:.1f}",
            f"{median(slow, 'rate'):,.0f}", f"{median(fast, 'rate'):,.0f}", str(ratio), "100",
            verdict(ratio.median >= 100),
            f"{median(slow, 'server'):,.0f} / {median(fast, 'server'):,.1f}",
            f"{median(slow, 'server') / median(fast, 'server'):,.0f}",
        ])
    one.close()
    other.close()
    table(
        f"Beside Datasette {VERSION}, {contracts:,} contracts, JSON, 8 connections",
        ["what", f"KB, Datasette / {OURS}", "Datasette, answers/s", f"{OURS}, answers/s",
         "ratio", "goal", "met", f"µs of processor an answer, Datasette / {OURS}", "ratio"],
        rows,
        "Datasette has the same records in plain typed tables with the indexes the queries"
        " want, the file immutable, canned queries that give rows and nothing else, no"
        " facets, its time and row limits raised (scripts/benching/peers.py). It runs as one"
        " process, as it does: it has no option for more, and keeps one core busy, where"
        f" {OURS} has {WORKERS} workers; the ratio of the processor times says what is left"
        " of that if it had both. That both answer with the same records in the same order"
        " was checked for every query. Datasette writes letters beyond ASCII as \\uXXXX,"
        " hence its longer answers.",
    )
    bench.goals.add("the same queries against Datasette", "at least 100 times",
                    ", ".join(f"{ratio:,.0f}" for ratio in ratios), min(ratios) >= 100)
