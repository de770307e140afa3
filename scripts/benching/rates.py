"""The points that compare rates: beside nginx, at depth, by size, 304, packed, cached, logged."""

import subprocess
import zlib

from . import data
from .bench import OURS, table, verdict
from .load import Ratio, WrongAnswer, median

# The share of nginx's rate, without the answer cache.
GOALS = {"RNP check": 0.9, "purchase card": 0.5, "page of 200, XML": 0.7, "page of 200, JSON": 0.7}


def beside_nginx(bench):
    """Point 1: the same bytes, computed, and from nginx's files."""
    nginx, lists = bench.beside_nginx
    rows, bench.full = [], {}
    for kind, (ours, of_nginx) in lists.items():
        size = bench.lists.mean_size(of_nginx)
        goal, ratios = GOALS[kind], []
        for connections in bench.connections:
            measured = bench.in_turn({
                f"nginx, {kind}, {connections}": bench.load(nginx, of_nginx, connections),
                f"{OURS}, {kind}, {connections}": bench.load(bench.server, ours, connections),
            })
            theirs, own = measured.values()
            ratio = Ratio(own, theirs, lambda each: each.rate)
            for name, rounds in measured.items():
                whole(name, rounds, size)
            if connections == max(bench.connections):
                bench.full[kind] = median(own, "rate")
            ratios.append((connections, ratio.median))
            pairs = (
                f"{median(theirs, what):,.{digits}f} / {median(own, what):,.{digits}f}"
                for what, digits in (("server", 1), ("both", 1), ("tail", 2))
            )
            rows.append([
                kind, str(connections), f"{median(own, 'size') / 1000:.1f}",
                f"{median(theirs, 'rate'):,.0f}", f"{median(own, 'rate'):,.0f}", str(ratio),
                f"{goal:.1f}", verdict(ratio.median >= goal), *pairs,
            ])
        bench.goals.add(
            kind, f"at least {goal:.1f} of nginx",
            ", ".join(f"{ratio:.2f} at {connections}" for connections, ratio in ratios),
            all(ratio >= goal for _, ratio in ratios),
        )
    table(
        "Beside nginx, which sends the same bytes from files",
        ["what", "connections", "KB", "nginx, answers/s", f"{OURS}, answers/s",
         "to nginx", "goal", "met", f"µs of processor an answer, nginx / {OURS}",
         "with wrk's", "99th percentile at full load, ms"],
        rows,
        f"{bench.given.requests} different requests of each kind, asked in turn.",
    )


def whole(name, rounds, size):
    """Error bodies may come with status 200: was as much sent as there is to send? (More
    is what had come of answers that were not finished when time was up.)"""
    for each in rounds:
        if each.size < 0.8 * size:
            raise WrongAnswer(f"{name}: {each.size:.0f} bytes an answer, not {size:.0f}")


def compared(bench, loads, one, other):
    """The two of a comparison as the cells of a row (bytes, time, processor time of
    each; ratio of the times, of the times a byte, of the processor times a byte), and
    the ratio of the times a byte."""
    measured = bench.in_turn(loads)
    a, b = measured[one], measured[other]
    per_byte = Ratio(b, a, lambda each: each.time / each.size)
    cells = [f"{median(a, 'size') / 1000:.1f} / {median(b, 'size') / 1000:.1f}"]
    cells += [f"{median(a, what):,.1f} / {median(b, what):,.1f}" for what in ("time", "server")]
    cells += [str(Ratio(b, a, lambda each: each.time)), str(per_byte)]
    # A round too short for the clock of processor times has none.
    timed = all(each.server for each in a + b)
    of_processor = Ratio(b, a, lambda each: each.server / each.size) if timed else "-"
    return [*cells, str(of_processor)], per_byte.median


def heads(one, other):
    both = f"{one} / {other}"
    return ["what", "connections", f"KB, {both}", f"µs an answer, {both}",
            f"µs of processor, {both}", "time", "time a byte", "processor time a byte"]


def depth(bench):
    """Point 2: the pages at the two ends of the largest supplier."""
    deepest, ends = bench.drawn.ends("xml")
    lists = {name: bench.lists.write(f"depth-{name}", paths) for name, paths in ends.items()}
    client = bench.client(bench.server)
    for path in ends["firsts"] + ends["lasts"]:
        client.data(path)
    client.close()
    rows, ratios = [], []
    many = len(ends["firsts"])
    for connections in (1, 8):
        for one, other, what in (
            ("first", "deepest", f"skip 0 and skip {deepest:,}"),
            ("firsts", "lasts", f"the first {many} pages and the last {many}"),
        ):
            loads = {
                f"{name}, {connections}": bench.load(bench.server, lists[name], connections)
                for name in (one, other)
            }
            cells, ratio = compared(bench, loads, *loads)
            rows.append([what, str(connections), *cells])
            ratios.append((what, connections, ratio))
    single = [ratio for what, _, ratio in ratios if what.startswith("skip")]
    bench.goals.add(
        f"page at the deepest skip ({deepest:,}), to a page at skip 0, time a byte",
        "at most 1.1 times",
        ", ".join(f"{ratio:.2f} at {connections}" for (what, connections, ratio) in ratios
                  if what.startswith("skip")),
        max(single) <= 1.1,
    )
    table(
        "A page at the deepest skip, to a page at skip 0",
        heads("near", "deep"), rows,
        "A page of 200 contracts has as many bytes as their texts: an answer that is"
        " longer takes longer, wherever it stands. So the ratio that counts is that of"
        " the times a byte; that of the times stands beside it.",
    )


def by_size(bench):
    """Point 3: pages anywhere in this database, and in a small one."""
    count = 5 * bench.given.requests
    small = bench.small
    other = bench.serve(small, name="small")
    sides = {
        "small": (other, data.Drawn(small.path, bench.given.seed).pages(count, "xml")),
        "big": (bench.server, bench.drawn.pages(count, "xml")),
    }
    lists = {}
    for name, (server, paths) in sides.items():
        client = bench.client(server)
        for path in paths:  # Warm; and each must be an answer.
            client.data(path)
        client.close()
        lists[name] = bench.lists.write(f"size-{name}", paths)
    rows, ratios = [], []
    for connections in (1, 8):
        loads = {
            f"{name}, {connections}": bench.load(sides[name][0], lists[name], connections)
            for name in sides
        }
        cells, ratio = compared(bench, loads, *loads)
        rows.append(["pages of 200, XML", str(connections), *cells])
        ratios.append((connections, ratio))
    other.end()
    sizes = f"{bench.big.told['contracts']:,} contracts, to {small.told['contracts']:,}"
    bench.goals.add(
        f"page with {sizes}, time a byte", "at most 1.2 times",
        ", ".join(f"{ratio:.2f} at {connections}" for connections, ratio in ratios),
        max(ratio for _, ratio in ratios) <= 1.2,
    )
    table(
        f"A page with {sizes}", heads("small", "big"), rows,
        f"{count:,} different pages, drawn evenly from all contracts of each database, each"
        " asked once before, so that the big database has more different contracts among"
        " them, as it has in use. The generated texts are of one kind; what is left of a"
        " difference in length goes out with the ratio a byte.",
    )


def conditional(bench):
    """Point 8: 304 beside 200."""
    drawn, rows = bench.drawn, []
    client = bench.client(bench.server)
    for kind, paths in (
        ("RNP check", drawn.checks(bench.given.requests)),
        ("page of 200, XML", drawn.pages(bench.given.requests, "xml")),
    ):
        tags = [client.data(path).headers["ETag"] for path in paths]
        for path, tag in zip(paths, tags):
            answer = client.ask(path, If_None_Match=tag)
            if answer.status != 304 or answer.body:
                raise WrongAnswer(f"{path}, If-None-Match: {answer.status}")
        name = kind.split()[0]
        lists = {
            "200": bench.lists.write(f"conditional-200-{name}", paths),
            "304": bench.lists.write(f"conditional-304-{name}", paths, tags),
        }
        measured = bench.in_turn({
            f"{status}, {kind}": bench.load(bench.server, requests, 8)
            for status, requests in lists.items()
        })
        whole, unchanged = measured.values()
        rows.append([
            kind, f"{median(whole, 'rate'):,.0f}", f"{median(unchanged, 'rate'):,.0f}",
            str(Ratio(unchanged, whole, lambda each: each.rate)),
            f"{median(whole, 'server'):.1f} / {median(unchanged, 'server'):.1f}",
        ])
    client.close()
    table(
        "304 beside 200, 8 connections",
        ["what", "200, answers/s", "304, answers/s", "ratio", "µs of processor, 200 / 304"],
        rows,
    )


def unpacked(encoding, body):
    """The body as it was; none where Python brings nothing that could tell."""
    if encoding == "zstd":
        return None
    return zlib.decompress(body, zlib.MAX_WBITS | 16) if encoding == "gzip" else body


def encodings(bench):
    """Point 8 too: what compression takes and gives."""
    client, rows = bench.client(bench.server), []
    for format in ("xml", "json"):
        missing = []
        paths = bench.drawn.pages(bench.given.requests, format)
        plain = [client.data(path).body for path in paths]
        loads = {}
        for encoding in ("identity", "gzip", "zstd"):
            packed = [client.ask(path, Accept_Encoding=encoding) for path in paths]
            given = {answer.headers.get("Content-Encoding", "identity") for answer in packed}
            if given != {encoding}:
                missing.append([format.upper(), encoding, "not offered", "", "", "", ""])
                continue
            for path, answer, body in zip(paths, packed, plain):
                if answer.status != 200 or unpacked(encoding, answer.body) not in (None, body):
                    raise WrongAnswer(f"{path}, Accept-Encoding: {encoding}")
            requests = bench.lists.write(f"{encoding}-{format}", paths, Accept_Encoding=encoding)
            loads[f"{encoding}, {format}"] = bench.load(bench.server, requests, 8)
        measured = bench.in_turn(loads)
        whole = measured[f"identity, {format}"]
        for name, rounds in measured.items():
            rows.append([
                format.upper(), name.split(",")[0], f"{median(rounds, 'size') / 1000:.1f}",
                f"{median(rounds, 'size') / median(whole, 'size'):.2f}",
                f"{median(rounds, 'rate'):,.0f}",
                str(Ratio(rounds, whole, lambda each: each.rate)),
                f"{median(rounds, 'server'):,.1f}",
            ])
        rows += missing
    client.close()
    table(
        "Pages of 200 by Accept-Encoding, 8 connections",
        ["format", "encoding", "KB an answer", "of identity", "answers/s", "of identity",
         "µs of processor an answer"],
        rows,
        f"{bench.given.requests} different pages in turn. What a server keeps of compressed"
        " pages counts, if all of them find room.",
    )


def cached(bench):
    """What the answer cache buys of repeated requests."""
    drawn, rows = bench.drawn, []
    without = bench.serve(bench.big, name="no cache", options=["--answer-cache", "0"])
    for kind, paths in (
        ("RNP check", drawn.checks(bench.given.requests)),
        ("purchase card", drawn.cards(bench.given.requests)),
    ):
        requests = bench.lists.write(f"cached-{kind.split()[0]}", paths)
        for connections in bench.connections:
            measured = bench.in_turn({
                "off": bench.load(without, requests, connections),
                "on": bench.load(bench.server, requests, connections),
            })
            off, on = measured.values()
            rows.append([
                kind, str(connections), f"{median(off, 'rate'):,.0f}", f"{median(on, 'rate'):,.0f}",
                str(Ratio(on, off, lambda each: each.rate)),
                f"{median(off, 'server'):.1f} / {median(on, 'server'):.1f}",
            ])
    without.end()
    table(
        "The answer cache, repeated requests",
        ["what", "connections", "off, answers/s", "on, answers/s", "on, to off",
         "µs of processor, off / on"],
        rows,
        f"{bench.given.requests} different requests of each kind, which all find room.",
    )


def log(bench):
    """What a line of the access log costs: on, into /dev/null, and off."""
    requests = bench.lists.write("log", bench.drawn.checks(bench.given.requests))
    logging = bench.serve(bench.big, log="info", errors=subprocess.DEVNULL, name="with log")
    connections = max(bench.connections)
    measured = bench.in_turn({
        "off": bench.load(bench.server, requests, connections),
        "on": bench.load(logging, requests, connections),
    })
    logging.end()
    off, on = measured["off"], measured["on"]
    table(
        f"The access log, RNP checks, {connections} connections",
        ["off, answers/s", "on, answers/s", "on, to off", "µs of processor, off / on"],
        [[f"{median(off, 'rate'):,.0f}", f"{median(on, 'rate'):,.0f}",
          str(Ratio(on, off, lambda each: each.rate)),
          f"{median(off, 'server'):.1f} / {median(on, 'server'):.1f}"]],
        "All other figures are with RUST_LOG=warn: no access log. Here the log goes to"
        " /dev/null: what the server does for it, not what a disk or a journal does.",
    )
