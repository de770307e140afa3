"""Fetches responses, checks them, and saves them as files for nginx to send."""

import http.client

from .load import WrongAnswer

# The beginnings of error bodies. Errors can have status 200, so the status alone is not enough.
ERRORS = (b'{"code"', b'{"error"', b"<error>", b"<code>")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body


class Client:
    """A keep-alive connection to a server."""

    def __init__(self, server, key):
        self.server, self.key = server, key
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

    def data(self, path):
        """Fetches a path. Raises WrongAnswer unless the response has status 200 and data."""
        self.connection.request("GET", path, headers={"X-API-Key": self.key})
        response = self.connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        body = answer.body
        if answer.status != 200 or any(error in body[:120] for error in ERRORS):
            raise WrongAnswer(f"{self.server.name}: {path}: {answer.status} {body[:200]!r}")
        return answer

    def close(self):
        self.connection.close()


def wire(path, key):
    """Returns the bytes of a GET request, as text."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n"


class RequestLists:
    """A folder with request lists for wrk, and with the files that nginx sends."""

    def __init__(self, folder, key):
        self.folder, self.key = folder, key
        self.files = folder / "files"
        self.files.mkdir()
        self.count = 0

    def write(self, name, paths):
        file = self.folder / name
        file.write_text("".join(wire(path, self.key) for path in paths))
        return file

    def mean_size(self, nginx_requests):
        """Returns the mean body size, in bytes, of the files that a request list for nginx names.
        """
        names = [line.split("?")[0].removeprefix("GET /")
                 for line in nginx_requests.read_text().splitlines() if line.startswith("GET ")]
        return sum((self.files / name).stat().st_size for name in names) / len(names)

    def mirror(self, client, paths):
        """Saves the response to each path as a file, and returns the paths at which nginx serves
        these files. The paths keep their query string, which nginx ignores, so that both servers
        receive requests of about the same length."""
        mirrored = []
        for path in paths:
            answer = client.data(path)
            kind = "json" if "json" in answer.headers["Content-Type"] else "xml"
            file = self.files / f"{self.count}.{kind}"
            self.count += 1
            file.write_bytes(answer.body)
            mirrored.append(f"/{file.name}?{path.partition('?')[2]}")
        return mirrored


def compare(one, other, paths, other_paths):
    """Raises WrongAnswer unless both servers respond to each pair of paths with the same status,
    content type and body."""
    for path, other_path in zip(paths, other_paths):
        a, b = one.data(path), other.data(other_path)
        if compared_parts(a) != compared_parts(b):
            raise WrongAnswer(
                f"{path}: {compared_parts(a)}; {other.server.name} sent {compared_parts(b)}")


def compared_parts(answer):
    return answer.status, answer.headers["Content-Type"], answer.body
