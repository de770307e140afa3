"""What a server answers: fetched, checked, put where nginx sends it from."""

import hashlib
import http.client
import socket
import time

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

    def ask(self, path, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request("GET", path, headers={"X-API-Key": self.key, **headers})
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())

    def data(self, path, **headers):
        """An answer with data; any other is a wrong one."""
        answer = self.ask(path, **headers)
        body = answer.body
        if answer.status != 200 or any(error in body[:120] for error in ERRORS):
            raise WrongAnswer(f"{self.server.name}: {path}: {answer.status} {body[:200]!r}")
        return answer

    def close(self):
        self.connection.close()


def wire(path, key, **headers):
    """A request as it goes over the wire."""
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", f"X-API-Key: {key}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines) + "\r\n\r\n"


class Lists:
    """The lists of requests, and the files that nginx sends, in one folder."""

    def __init__(self, folder, key):
        self.folder, self.key = folder, key
        self.files = folder / "files"
        self.files.mkdir()
        self.count = 0

    def write(self, name, paths, tags=None, **headers):
        """A list of requests with the same headers, the key among them, and with `tags`
        each with its own If-None-Match."""
        tagged = [{"If_None_Match": tag} for tag in tags] if tags else [{}] * len(paths)
        file = self.folder / name
        file.write_text("".join(
            wire(path, self.key, **headers, **tag) for path, tag in zip(paths, tagged)
        ))
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
    """Do two servers answer the same to each pair of paths: status, kind of content,
    length and hash?"""
    for path, other_path in zip(paths, other_paths):
        a, b = one.data(path), other.data(other_path)
        if seen(a) != seen(b):
            raise WrongAnswer(f"{path}: {seen(a)}; of {other.server.name}: {seen(b)}")


def seen(answer):
    return (answer.status, answer.headers["Content-Type"], answer.headers["Content-Length"],
            hashlib.sha256(answer.body).hexdigest())


def first_answer(address, request, deadline):
    """Waits until the server takes connections, asks, and reads the whole answer; when
    that was. The connection is tried again every 0.2 ms."""
    import socket

    while True:
        try:
            connection = socket.create_connection(address, timeout=10)
            break
        except OSError:
            if time.monotonic() > deadline:
                raise WrongAnswer("the server did not start")
            time.sleep(0.0002)
    with connection:
        connection.sendall(request.encode())
        text = b""
        while b"\r\n\r\n" not in text:
            more = connection.recv(1 << 16)
            if not more:
                raise WrongAnswer("no answer to the first request")
            text += more
        head, _, body = text.partition(b"\r\n\r\n")
        headers = dict(
            line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:]
        )
        left = int(headers[b"content-length"]) - len(body)
        while left > 0 and (more := connection.recv(1 << 16)):
            left -= len(more)
        ended = time.monotonic()
    if left > 0 or not head.startswith(b"HTTP/1.1 200"):
        raise WrongAnswer(f"the first answer: {head[:60]!r}")
    return ended
