#!/usr/bin/env python3
"""Checks the heads of answers of a served demonstration database with httplint, REDbot's rules.

    scripts/checking/heads.py URL

Asked are every operation of the OpenAPI document with its examples, in each format, compressed,
by HEAD, again with the entity tag, and without a key; the page, its files and a path that does
not exist. A finding fails the check unless EXCEPTIONS names its reason.
"""

import http.client
import json
import sys
import urllib.parse
from collections import Counter

from httplint import HttpRequestLinter, HttpResponseLinter
from httplint.note import levels

# Findings that are as they should be, each with its reason.
EXCEPTIONS = {
    "FIELD_DEPRECATED: The Keep-Alive header is deprecated.":
        "Pools of clients (Node's, Apache's) learn from it when a connection will be closed.",
    "STATUS_BAD_REQUEST: The server didn't understand the request.":
        "These requests are wrong, so that the answers to wrong ones are checked too.",
}
FORMATS = ("xml", "json", "csv", "xlsx")


def main():
    base = urllib.parse.urlsplit(sys.argv[1])
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=30)
    _, _, document = ask(connection, "GET", "/openapi.json", {})
    asked, found = 0, Counter()
    for method, target, headers in requests(json.loads(document)):
        for again in (False, True):
            linter, tag, _ = ask(connection, method, target, headers)
            asked += 1
            found.update(problems(linter, f"{method} {target} {linter.status_code_str}"))
            if not tag or again:
                break
            headers = headers | {"If-None-Match": tag}
    for (note, where), times in sorted(found.items()):
        print(f"{note} {where}" + (f" (and {times - 1} more)" if times > 1 else ""))
    if found:
        sys.exit(1)
    print(f"heads: {asked} answers pass httplint")


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
    """Returns the path with the required parameters of the request, by their examples, and with
    the words to search for, which a search needs unless it has other conditions."""
    query = {}
    for each in parameters:
        if each["in"] == "path":
            values = each["schema"].get("enum") or []
            path = path.replace("{%s}" % each["name"], (values or ["contracts.xsd"])[0])
        elif each["in"] == "query" and (each["required"] or each["name"] == "q"):
            query[each["name"]] = each["example"]
    return path + ("?" + urllib.parse.urlencode(query) if query else "")


def ask(connection, method, target, headers):
    """Returns the answer as httplint sees it, its entity tag and its body."""
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
