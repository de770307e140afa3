#!/usr/bin/env python3
"""Checks response headers with httplint (the rules of REDbot), on a server with the demonstration
data.

    scripts/checking/heads.py URL

Requests every operation of the OpenAPI document with its example parameters: in each format,
compressed, with HEAD, again with If-None-Match, and without a key. Also requests the page, its files
and a path that does not exist. Any finding that is not in EXCEPTIONS fails the check.
"""

import http.client
import json
import sys
import urllib.parse
from collections import Counter

from httplint import HttpRequestLinter, HttpResponseLinter
from httplint.note import levels

# Findings to ignore, with the reason for each.
EXCEPTIONS = {
    "FIELD_DEPRECATED: The Keep-Alive header is deprecated.":
        "Connection pools of HTTP clients (Node, Apache) read the idle timeout from it.",
    "STATUS_BAD_REQUEST: The server didn't understand the request.":
        "Invalid requests are sent on purpose, to check error responses.",
}
FORMATS = ("xml", "json", "csv", "xlsx")


def main():
    base = urllib.parse.urlsplit(sys.argv[1])
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=30)
    _, _, document = send(connection, "GET", "/openapi.json", {})
    asked, found = 0, Counter()
    for method, target, headers in requests(json.loads(document)):
        for again in (False, True):
            linter, tag, _ = send(connection, method, target, headers)
            asked += 1
            found.update(problems(linter, f"{method} {target} {linter.status_code_str}"))
            if not tag or again:
                break
            headers = headers | {"If-None-Match": tag}
    for (note, where), times in sorted(found.items()):
        print(f"{note} {where}" + (f" (and {times - 1} more)" if times > 1 else ""))
    if found:
        sys.exit(1)
    print(f"heads: {asked} responses pass httplint")


def requests(document):
    """Yields (method, target, headers) for each resource."""
    key = {"X-API-Key": "demo"}
    for path, item in document["paths"].items():
        named = [resolve(document, each) for each in item["parameters"]]
        target, is_open = example(path, named), item["get"].get("security") == []
        formats = [""] if is_open else [f"&format={name}" for name in FORMATS]
        for end in formats:
            whole = target + (end if "?" in target else end.replace("&", "?", 1))
            yield "GET", whole, key
            yield "HEAD", whole, key
            yield "GET", whole, key | {"Accept-Encoding": "gzip"}
            yield "GET", whole, key | {"Accept-Encoding": "zstd"}
        if not is_open:
            yield "GET", target, {}
            yield "GET", path, key
    for target in ("/", "/page.js", "/page.css", "/nothing", "/docs/ru/api", "/%ff"):
        yield "GET", target, {}
    yield "POST", "/about.json", {}


def resolve(document, parameter):
    if "$ref" not in parameter:
        return parameter
    return document["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]


def example(path, parameters):
    """Returns the path with example values for all required query parameters. Also sets `q`,
    because searches need at least one condition, although no single one is required."""
    query = {}
    for each in parameters:
        if each["in"] == "path":
            values = each["schema"].get("enum") or []
            path = path.replace("{%s}" % each["name"], (values or ["contracts.xsd"])[0])
        elif each["in"] == "query" and (each["required"] or each["name"] == "q"):
            query[each["name"]] = each["example"]
    return path + ("?" + urllib.parse.urlencode(query) if query else "")


def send(connection, method, target, headers):
    """Sends a request. Returns the findings of httplint, the entity tag and the body of the
    response."""
    headers = {"User-Agent": "heads", "Host": connection.host} | headers
    connection.request(method, target, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    request = HttpRequestLinter()
    request.process_request_topline(method.encode(), target.encode(), b"1.1")
    request.process_headers([(name.encode(), value.encode()) for name, value in headers.items()])
    request.finish_content(True)
    linter = HttpResponseLinter()
    linter.request = request
    linter.is_head_response = method == "HEAD"
    linter.process_response_topline(b"1.1", str(answer.status).encode(), answer.reason.encode())
    linter.process_headers([(name.encode(), value.encode("latin-1"))
                            for name, value in answer.getheaders()])
    linter.feed_content(body)
    linter.finish_content(True)
    return linter, answer.getheader("ETag"), body


def problems(linter, where):
    waiting, found = list(linter.notes), []
    while waiting:
        note = waiting.pop()
        waiting.extend(note.subnotes)
        finding = f"{type(note).__name__}: {note.summary}"
        if note.level in (levels.WARN, levels.BAD) and finding not in EXCEPTIONS:
            found.append((finding, where))
    return found


if __name__ == "__main__":
    main()
