"""What `fetch` costs beside the service: cells a second without a limit of requests, beside
curl, which sends as many requests and keeps nothing; memory with small and with large
archives; and what a run that is killed asks for again. The service is the simulated one
(tests/service), on this machine. Needs curl."""

import argparse
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from .bench import table
from .build import add_profile, build

TOKEN = "0f3a1c52-9d1e-4c55-8a5b-3f3b7f0c1d2e"

ENVELOPE = """<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" \
xmlns:ws="http://zakupki.gov.ru/fz44/get-docs-ip/ws"><soapenv:Header>\
<individualPerson_token>%s</individualPerson_token></soapenv:Header><soapenv:Body>\
<ws:getDocsByOrgRegionRequest><index><id>6f9619ff-8b86-4011-b42d-00c04fc964ff</id>\
<createDateTime>2026-11-22T03:00:00</createDateTime><mode>PROD</mode></index><selectionParams>\
<orgRegion>77</orgRegion><subsystemType>RGK</subsystemType><documentType44>contract\
</documentType44><periodInfo><exactDate>2025-03-03+03:00</exactDate></periodInfo>\
</selectionParams></ws:getDocsByOrgRegionRequest></soapenv:Body></soapenv:Envelope>"""

ACTION = '"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip"'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=20, help="of all regions (default: 20)")
    parser.add_argument("--bytes", type=int, default=1 << 30, help="of a large archive (1 GiB)")
    add_profile(parser)
    given = parser.parse_args()
    program, helper = build(given.profile)
    service = helper.with_name("eis-service")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        rates(program, service, folder, given.days)
        memory(program, service, folder, given.bytes)
        killed(program, service, folder, given.days)


class Service:
    """The simulated service, at a free port."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, *options], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.endpoint = re.search(r"http\S+", line).group() + "/eis-integration/services/getDocsIP"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def fetch(program, endpoint, into, *options):
    """The command, for contracts of days that nobody asks for again."""
    command = [program, "fetch", "--into", into, "--endpoint", endpoint, "--per-minute", "0"]
    return [*command, "--what", "contracts", "--to", "2025-03-03", *options]


def run(command):
    """Its output, its seconds, and its greatest memory in bytes."""
    started = time.monotonic()
    environment = {**os.environ, "PROCUREMENT_LOOKUP_TOKEN": TOKEN}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command}: status {status}\n{output}")
    return output, time.monotonic() - started, usage.ru_maxrss * 1024


def cells(output):
    """Those of a summary that were done, and those that were done before."""
    row = re.search(r"^RGK +(\d+) +\d+ +\d+ +(\d+)", output, re.M)
    return int(row.group(1)), int(row.group(2))


def rates(program, service, folder, days):
    with Service(service) as running:
        every = ["--regions", "all", "--last", str(days)]
        output, seconds, _ = run(fetch(program, running.endpoint, folder / "rates", *every))
        done, _ = cells(output)
        ours = done / seconds
        curl = done / bare(running.endpoint, folder, done)
    table(
        "Cells a second, small archives, no limit of requests",
        ["what", "a second", "to curl"],
        [
            ["`fetch`: asked, downloaded, checked, synced, noted", f"{ours:,.0f}", f"{ours / curl:.2f}"],
            ["curl: the same requests, nothing kept", f"{curl:,.0f}", "1"],
        ],
        f"{done:,} cells, one archive each.",
    )


def bare(endpoint, folder, count):
    """The seconds that curl takes for so many cells."""
    envelope = folder / "envelope.xml"
    envelope.write_text(ENVELOPE % TOKEN)
    headers = {"SOAPAction": ACTION, "Content-Type": "text/xml", "individualPerson_token": TOKEN}
    request = urllib.request.Request(endpoint, envelope.read_bytes(), headers)
    answer = urllib.request.urlopen(request).read().decode()
    link = re.search(r"<archiveUrl>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?</archiveUrl>", answer).group(1)
    link = link.replace("&amp;", "&")
    given = "".join(f"header = '{name}: {value}'\n" for name, value in headers.items())
    asked = f'url = "{endpoint}"\n{given}data-binary = "@{envelope}"\noutput = /dev/null\nnext\n'
    loaded = f'url = "{link}"\n{given}output = /dev/null\nnext\n'
    config = folder / "curl.config"
    config.write_text(((asked + loaded) * count)[: -len("next\n")])
    started = time.monotonic()
    subprocess.run(["curl", "--silent", "--fail", "--config", config], check=True)
    return time.monotonic() - started


def memory(program, service, folder, large):
    rows = []
    least = None
    for size in [1 << 10, large]:
        with Service(service, "--archive-bytes", str(size)) as running:
            into = folder / f"memory-{size}"
            one = ["--regions", "77", "--last", "1"]
            _, seconds, most = run(fetch(program, running.endpoint, into, *one))
        least = least or most
        rate = f"{4 * size / seconds / 1e6:,.0f} MB/s"
        rows.append([f"4 of {size:,} bytes", f"{most / 1e6:.1f} MB", f"{most / least:.2f}", rate])
        subprocess.run(["rm", "-r", into], check=True)
    table("Memory", ["archives", "at most", "to the smallest", "rate"], rows)


def killed(program, service, folder, days):
    with Service(service) as running:
        every = ["--regions", "all", "--last", str(days)]
        command = fetch(program, running.endpoint, folder / "killed", *every)
        environment = {**os.environ, "PROCUREMENT_LOOKUP_TOKEN": TOKEN}
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        output, _, _ = run(command)
    done, before = cells(output)
    table(
        "A run that was killed after a second",
        ["cells done by it", "cells asked for by the next", "together"],
        [[f"{before:,}", f"{done:,}", f"{done + before:,}"]],
    )


if __name__ == "__main__":
    main()
