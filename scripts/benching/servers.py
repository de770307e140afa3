"""The servers that are measured: starting them, what they take of the machine."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

WORKERS = 2
# Debian keeps nginx where only root's PATH looks.
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"

# As fast as nginx sends files: no log, files and their times kept open, head and
# file in one segment, a connection never closed for its count of requests.
NGINX = """
worker_processes {workers};
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    open_file_cache max={files} inactive=1h;
    open_file_cache_valid 1h;
    default_type text/plain;
    types {{
        "application/xml; charset=utf-8" xml;
        "application/json; charset=utf-8" json;
    }}
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {folder}/files;
    }}
}}
"""


def tools(*names):
    """Where each of them is; ends, naming what is missing, where they are not."""
    found = {tool: shutil.which(tool, path=PATH) for tool in names}
    missing = [tool for tool, path in found.items() if path is None]
    if missing:
        sys.exit(f"{' and '.join(missing)} missing (apt-get install wrk nginx-light)")
    return found


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Server:
    """A process that answers: its name, its port."""

    def __init__(self, name, process, port):
        self.name, self.process, self.port = name, process, port

    def processor_time(self):
        """Seconds that it and its children have had of the processors."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ticks = 0
        for each in [pid, *children]:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()


class PostgreSQL:
    """A PostgreSQL of its own, with a database `procurement` at `address`."""

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
        while not self.sql("postgres", "CREATE DATABASE procurement"):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                sys.exit((folder.parent / "postgresql.log").read_text())
            time.sleep(0.1)

    @property
    def address(self):
        return f"postgresql://postgres@127.0.0.1:{self.port}/procurement"

    def sql(self, database, statement):
        """Executes a statement; was that possible?"""
        command = ["psql", "-Xq", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres",
                   "-d", database, "-c", statement]
        return subprocess.run(command, capture_output=True).returncode == 0

    def end(self):
        # SIGINT: what is under way is ended as well.
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def start_nginx(nginx, folder, count):
    """nginx with what is in folder/files, `count` files."""
    # Workers that root starts are another user's.
    folder.chmod(0o755)
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(
        NGINX.format(workers=WORKERS, folder=folder, port=port, files=max(16, 2 * count))
    )
    process = subprocess.Popen([nginx, "-c", configuration, "-e", folder / "error.log"])
    deadline = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return Server("nginx", process, port)
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                process.terminate()
                sys.exit(f"nginx: {(folder / 'error.log').read_text()}")
            time.sleep(0.05)
