"""How fast a file is published to PostgreSQL, beside psql with the same bytes.

Builds the program, generates the data, imports it, starts PostgreSQL in a temporary folder, and
prints of each publication its time, and how much the server wrote to its log (WAL):

  all              the whole file; and the same rows, written to files beforehand in the format
                   of COPY, by psql with the same statements (tables, copies, indexes, ANALYZE)
  1,000 contracts  what an import of as many new contracts has changed
  nothing          the same again
  a late contract  one contract that is older than the others of a supplier that has as many
                   contracts as all have in the rest of this

PostgreSQL and the program share the machine. Times of `all` are medians of the rounds, in turn.
"""

import argparse
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from . import data
from .bench import table
from .build import ROOT, add_profile, build
from .servers import PostgreSQL

TABLES = ["supplier", "contract", "purchase", "rnp_entry", "registry", "coverage", "revision", "change"]
STATEMENTS = ROOT / "src/store/postgresql"


class Server(PostgreSQL):
    def ask(self, *statements):
        """What psql says to statements, each a command of its own."""
        command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.address]
        for statement in statements:
            command += ["-c", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def measured(self, work):
        """How many seconds `work` takes, and how many bytes the server writes to its log."""
        self.ask("CHECKPOINT")
        before, started = self.ask("SELECT pg_current_wal_lsn()"), time.monotonic()
        said = work()
        seconds = time.monotonic() - started
        return seconds, int(self.ask(f"SELECT pg_current_wal_lsn() - '{before}'::pg_lsn")), said

    def schema(self):
        return self.ask("SELECT data_schema FROM procurement_lookup.publication")


def published(given, server, database):
    command = [given.program, "publish", "--database", database, "--to", server.address]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stderr.strip()


def dumped(server, folder):
    """The rows of the tables, in the format of COPY."""
    schema = server.schema()
    for name in TABLES:
        server.ask(f"\\copy {schema}.{name} TO '{folder / name}' (FORMAT binary)")


def by_psql(server, folder):
    """The same publication by psql, in one transaction."""
    statements = ["DROP SCHEMA IF EXISTS by_psql CASCADE", "BEGIN", "CREATE SCHEMA by_psql",
                  "SET LOCAL search_path TO by_psql", (STATEMENTS / "tables.sql").read_text()]
    statements += [f"\\copy {name} FROM '{folder / name}' (FORMAT binary, FREEZE)" for name in TABLES]
    statements += [(STATEMENTS / "indexes.sql").read_text()]
    statements += [f"ANALYZE {name}" for name in TABLES]
    return server.ask(*statements, "COMMIT")


def sizes(server):
    schema = server.schema()
    total = f"sum(pg_total_relation_size(oid)), sum(pg_indexes_size(oid)) FROM pg_class" \
            f" WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r'"
    return [int(size) for size in server.ask(f"SELECT {total}").split("|")]


def bring_in(given, database, lines, records):
    lines.write_text("".join(records), encoding="utf-8")
    subprocess.run([given.program, "import", "--database", database, lines], check=True,
                   stdout=subprocess.DEVNULL)


def contract(inn, number, day):
    record = {"type": "contract", "supplier": {"inn": inn, "name": ""},
              "contract": {"regNum": number, "signDate": day, "contractPrice": 1000}}
    return json.dumps(record) + "\n"


def inns(database):
    with sqlite3.connect(f"file:{database}?immutable=1", uri=True) as connection:
        return [inn for (inn,) in connection.execute("SELECT inn FROM supplier ORDER BY contracts DESC")]


def row(what, seconds, written, said):
    return [what, f"{seconds:,.2f}", f"{written / 1e6:,.2f}", said]


def measure(given, work, server):
    database, lines, rows = work / "data.sqlite", work / "lines.jsonl", []
    source = data.made(given.program, given.profile, given.folder or work, given.contracts,
                       given.suppliers, given.seed)
    shutil.copyfile(source.path, database)
    published(given, server, database)
    folder = work / "rows"
    folder.mkdir()
    dumped(server, folder)
    ours, psql = [], []
    for _ in range(given.rounds):
        server.ask("DELETE FROM procurement_lookup.publication")
        ours.append(server.measured(lambda: published(given, server, database)))
        psql.append(server.measured(lambda: by_psql(server, folder)))
    server.ask("DROP SCHEMA by_psql CASCADE")
    shutil.rmtree(folder)
    for name, times in (("all", ours), ("all, by psql", psql)):
        rows.append(row(name, median([it[0] for it in times]), times[-1][1], times[-1][2]))
    ratio = median([mine[0] / other[0] for mine, other in zip(ours, psql)])
    total, indexes = sizes(server)
    bytes_of_file = data.size(database)

    some = inns(database)
    days = [f"2026-11-{day:02}" for day in range(1, 21)]
    bring_in(given, database, lines, [
        contract(some[number * 7 % len(some)], f"39999999926{number:08}", days[number % 20])
        for number in range(1000)
    ])
    rows.append(row("1,000 contracts", *server.measured(lambda: published(given, server, database))))
    rows.append(row("nothing", *server.measured(lambda: published(given, server, database))))
    database.unlink()

    large = data.made(given.program, given.profile, given.folder or work, given.contracts, 1, given.seed)
    shutil.copyfile(large.path, database)
    published(given, server, database)
    bring_in(given, database, lines, [contract(inns(database)[0], "3999999992600000001", "2011-01-01")])
    rows.append(row("a late contract", *server.measured(lambda: published(given, server, database))))
    table("Publications", ["what", "seconds", "MB of WAL", "said"], rows,
          f"All, over the time of psql: {ratio:.2f}.",
          f"{total / 1e6:,.0f} MB of tables, {indexes / 1e6:,.0f} of these of indexes, of a file of"
          f" {bytes_of_file / 1e6:,.0f} MB.")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_profile(parser)
    parser.add_argument("--contracts", type=int, default=1_000_000)
    parser.add_argument("--suppliers", type=int, help="default: one for 20 contracts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keeps the databases, and uses them again")
    parser.add_argument("--program", type=Path, help="instead of the one built here")
    given = parser.parse_args()
    given.suppliers = given.suppliers or max(10, given.contracts // 20)
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True)
    given.program = given.program or build(given.profile)[0]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work, server = Path(tempfile.mkdtemp(prefix="bench-")), None
    try:
        work.chmod(0o755)
        server = Server(work / "postgresql")
        measure(given, work, server)
    finally:
        if server:
            server.end()
        shutil.rmtree(work)
