"""Starts the servers to measure, and reads their CPU time."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

WORKERS = 2
# Debian installs nginx in /usr/sbin, which is not in the PATH of ordinary users.
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"

# Tuned so that nginx serves files as fast as it can: no access log, cached open files, head and
# body in one segment, no limit on requests per connection.
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
    """Maps each tool to its path. Exits with a message if any is not installed."""
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
    """A running server process."""

    def __init__(self, name, process, port):
        self.name, self.process, self.port = name, process, port

    def processor_time(self):
        """Returns the CPU seconds that the process and its children have used so far."""
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


def issued_key(program, keys):
    command = [program, "keys", "issue", "bench", "--keys", keys]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def serve_command(program, database, keys, listen, *options):
    return [program, "serve", "--database", database, "--keys", keys, "--workers", str(WORKERS),
            "--rnp-rate", "0", "--listen", listen, *options]


def serve(name, program, database, keys, *options):
    """Starts the program, serving a file or PostgreSQL without an access log."""
    process = subprocess.Popen(
        serve_command(program, database, keys, "127.0.0.1:0", *options),
        stdout=subprocess.PIPE, text=True, env={**os.environ, "RUST_LOG": "warn"},
    )
    line = process.stdout.readline()
    if not line:
        sys.exit(f"{name}: serve did not start")
    return Server(name, process, int(line.rsplit(":", 1)[1]))


def start_nginx(nginx, folder, count):
    """Starts nginx, serving the `count` files in folder/files."""
    # If root starts nginx, its workers run as another user, who must be able to read the files.
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
