"""What a server answers: fetched, checked, put where nginx sends it from."""

import http.client

from .load import WrongAnswer

# The beginnings of error bodies, which the API sends with status 200 too.
ERRORS = (b'{"code"', b'{"error"', b"<error>", b"<code>")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body


class Client:
    """One connection, kept."""

    def __init__(self, server, key):
        self.server, self.key = server, key
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

    def data(self, path):
        """An answer with data; any other is a wrong one."""
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
    """A request as it goes over the wire."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n"


class Lists:
    """The lists of requests, and the files that nginx sends, in one folder."""

    def __init__(self, folder, key):
        self.folder, self.key = folder, key
        self.files = folder / "files"
        self.files.mkdir()
        self.count = 0

    def write(self, name, paths):
        file = self.folder / name
        file.write_text("".join(wire(path, self.key) for path in paths))
        return file

    def mean_size(self, of_nginx):
        """Bytes of body an answer, mean of the files that a list of nginx's names."""
        names = [line.split("?")[0].removeprefix("GET /")
                 for line in of_nginx.read_text().splitlines() if line.startswith("GET ")]
        return sum((self.files / name).stat().st_size for name in names) / len(names)

    def mirror(self, client, paths):
        """Fetches each answer and writes it to a file. Gives the paths at which nginx
        has them: of the same query, which nginx passes over, so that both servers are
        sent about as many bytes."""
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
    """Fails if two servers answer a pair of paths otherwise: status, kind of content, body."""
    for path, other_path in zip(paths, other_paths):
        a, b = one.data(path), other.data(other_path)
        if seen(a) != seen(b):
            raise WrongAnswer(f"{path}: {seen(a)}; of {other.server.name}: {seen(b)}")


def seen(answer):
    return answer.status, answer.headers["Content-Type"], answer.body
