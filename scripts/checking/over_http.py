"""An HTTP bridge to an MCP server that speaks over standard input and output, for test suites that
support only HTTP.

Each POST carries one message, and the response body is the answer. Every `initialize` starts a new
server process for its session.
"""

import http.server
import json
import subprocess
import threading
from contextlib import contextmanager

SESSION = "Mcp-Session-Id"


@contextmanager
def over_http(command):
    """Listens on a free loopback port while the context is open; yields the URL."""
    servers = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            message = json.loads(body)
            session = self.headers.get(SESSION)
            if message.get("method") == "initialize":
                session = str(len(servers) + 1)
                servers[session] = subprocess.Popen(command, stdin=subprocess.PIPE,
                                                    stdout=subprocess.PIPE)
            server = servers[session]
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            if "id" in message:
                self.answer(200, session, server.stdout.readline())
            else:
                self.answer(202, session, b"")

        def do_GET(self):
            # There is no event stream, because the server only sends messages in response to
            # requests.
            self.answer(405, None, b"")

        def do_DELETE(self):
            self.answer(405, None, b"")

        def answer(self, status, session, body):
            self.send_response(status)
            if session:
                self.send_header(SESSION, session)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}/mcp"
        finally:
            listening.shutdown()
            for server in servers.values():
                server.stdin.close()
                server.wait()
