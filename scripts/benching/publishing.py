"""Publications to PostgreSQL: of builds of the program, and by psql with the same bytes."""

import functools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from .servers import PATH, free_port


class PostgreSQL:
    """A PostgreSQL of its own, on the loopback address, with a quarter of the memory for its
    buffers."""

    def __init__(self, folder):
        # Debian keeps all but the clients out of PATH. It does not run as root.
        folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"),
                         key=lambda each: int(each.parent.name))
        initdb, server = (
            shutil.which(tool, path=f"{folders[-1] if folders else ''}:{PATH}")
            for tool in ("initdb", "postgres")
        )
        if initdb is None or server is None:
            sys.exit("PostgreSQL missing (apt-get install postgresql)")
        self.user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        folder.mkdir()
        if self.user:
            shutil.chown(folder, "postgres", "postgres")
        self.port = free_port()
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4 // (1 << 20)
        subprocess.run(
            [initdb, "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale=C", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, cwd=folder, **self.user,
        )
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "",
            "shared_buffers": f"{memory}MB", "max_wal_size": "8GB",
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        with open(folder.parent / "postgresql.log", "wb") as log:
            self.process = subprocess.Popen(
                [server, "-D", folder / "data", *options], stdout=log, stderr=log, cwd=folder,
                **self.user,
            )
        deadline = time.monotonic() + 30
        while self.psql("postgres", "SELECT 1").returncode != 0:
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                sys.exit((folder.parent / "postgresql.log").read_text())
            time.sleep(0.1)

    def address(self, database):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def psql(self, database, *statements):
        command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.address(database)]
        for statement in statements:
            command += ["-c", statement]
        return subprocess.run(command, capture_output=True, text=True)

    def ask(self, database, *statements):
        """What psql says to statements, each a command of its own."""
        done = self.psql(database, *statements)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return done.stdout.strip()

    def measured(self, work):
        """How many seconds `work` takes, and how many MB the server writes to its log."""
        self.ask("postgres", "CHECKPOINT")
        before, started = self.ask("postgres", "SELECT pg_current_wal_lsn()"), time.monotonic()
        work()
        seconds = time.monotonic() - started
        written = self.ask("postgres", f"SELECT pg_current_wal_lsn() - '{before}'::pg_lsn")
        return seconds, int(written) / 1e6

    def end(self):
        # SIGINT: what is under way is ended as well.
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


class ByPsql:
    """The rows of a publication, written to files in the format of COPY; psql sends them again in
    one transaction: tables, copies, the same indexes, ANALYZE."""

    def __init__(self, server, database, folder):
        self.server, self.database, self.folder = server, database, folder
        folder.mkdir()
        ask = functools.partial(server.ask, database)
        schema = ask("SELECT data_schema FROM procurement_lookup.publication")
        self.tables = ask(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'").split()
        indexes = f"SELECT indexdef FROM pg_indexes WHERE schemaname = '{schema}'"
        self.indexes = ask(indexes).replace(f" ON {schema}.", " ON by_psql.").splitlines()
        # The schema itself goes with the next publication.
        ask("CREATE SCHEMA form")
        for name in self.tables:
            ask(f"CREATE TABLE form.{name} (LIKE {schema}.{name})",
                f"\\copy {schema}.{name} TO '{folder / name}' (FORMAT binary)")

    def publish(self):
        statements = ["DROP SCHEMA IF EXISTS by_psql CASCADE", "BEGIN", "CREATE SCHEMA by_psql",
                      "SET LOCAL search_path TO by_psql"]
        statements += [f"CREATE TABLE {name} (LIKE form.{name})" for name in self.tables]
        statements += [f"\\copy {name} FROM '{self.folder / name}' (FORMAT binary, FREEZE)"
                       for name in self.tables]
        statements += [*self.indexes, *(f"ANALYZE {name}" for name in self.tables), "COMMIT"]
        return self.server.measured(lambda: self.server.ask(self.database, *statements))


class Publishing:
    """A build that publishes to a database of its own."""

    def __init__(self, build, server):
        self.build, self.server, self.count = build, server, 0
        self.database, self.name = build.work / "data.sqlite", f"of_{build.name}"
        server.ask("postgres", f"CREATE DATABASE {self.name}")

    def begin(self, source):
        shutil.copyfile(source, self.database)
        with sqlite3.connect(f"file:{self.database}?immutable=1", uri=True) as file:
            statement = "SELECT inn FROM supplier ORDER BY contracts DESC"
            self.inns = [inn for (inn,) in file.execute(statement)]

    def publish(self, *options):
        return self.server.measured(lambda: self.build.run(
            "publish", "--database", self.database, "--to", self.server.address(self.name), *options))

    def bring_in(self, contracts):
        lines = self.build.work / "lines.jsonl"
        lines.write_text("".join(contracts), encoding="utf-8")
        self.build.run("import", "--database", self.database, lines)

    def contract(self, inn, number, day):
        record = {"type": "contract", "supplier": {"inn": inn, "name": ""},
                  "contract": {"regNum": f"39999999{self.count:03}{number:08}", "signDate": day,
                               "contractPrice": 1000}}
        return json.dumps(record) + "\n"

    def delta(self):
        self.count += 1
        self.bring_in(
            self.contract(self.inns[number * 7 % len(self.inns)], number, f"2026-11-{number % 20 + 1:02}")
            for number in range(1000))
        return self.publish()

    def late(self):
        self.count += 1
        self.bring_in([self.contract(self.inns[0], 0, f"2011-01-{30 - self.count:02}")])
        return self.publish()
