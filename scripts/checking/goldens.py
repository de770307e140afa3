#!/usr/bin/env python3
"""Validates every golden response, XML by XSD with xmllint and JSON by JSON Schema with jsonschema,
and the examples in the OpenAPI document by its schemas.

Errors of purchase endpoints in XML are described by the purchase's XSD, other errors by error.xsd.
In JSON, error.schema.json describes all errors.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/answers/golden"
SCHEMAS = ROOT / "tests/answers/described/golden/schemas"

# Schemas of command output (`--format json`), which are checked by tests/program
# instead.
OUTPUTS = {"check", "keys-list", "keys-log", "import-summary", "fetch-summary", "watch-event"}


def path_and_body(response):
    """Returns the requested path and the body of a recorded response."""
    request, rest = response.read_text(encoding="utf-8").split("\n\n", 1)
    target = request.split("\n")[0].split(" ")[1]
    return target.split("?")[0], rest.split("\n\n", 1)[1]


def xml_schema(names, body):
    root = body.split("?>", 1)[1][1:].split(">")[0].rstrip("/")
    if root == "data":
        return "error"
    named = [name for name in names if name == root.lower()]
    return named[0] if named else names[0]


def json_schema(names, value):
    if "error" in value:
        return "error"
    wrapped = [name for name in names if any(key.lower() == name for key in value)]
    return wrapped[0] if wrapped else names[0]


def answers_of(document, titles):
    """Returns the schemas of each path's data responses. If a path has several, the root element
    (XML) or a key of the object (JSON) selects one."""
    answers = {}
    for path, operations in document["paths"].items():
        media = operations["get"]["responses"]["200"]["content"].get("application/json", {})
        schema = media.get("schema", {})
        names = [one.get("$ref", "").split("/")[-1] for one in schema.get("oneOf", [schema])]
        answers[path] = [titles[name] for name in names if name in titles and name != "Error"]
    return answers


def invalid_examples(document):
    """Yields a message for each example in the OpenAPI document that does not match its schema."""
    count = 0
    for path, operations in document["paths"].items():
        for status, response in operations["get"]["responses"].items():
            media = response.get("content", {}).get("application/json", {})
            schema = {"components": document["components"], **media.get("schema", {})}
            for name, example in media.get("examples", {}).items():
                count += 1
                for error in jsonschema.Draft202012Validator(schema).iter_errors(example["value"]):
                    yield f"{path} {status} {name}: {error.json_path}: {error.message}"
        for parameter in operations["parameters"]:
            if "example" in parameter:
                count += 1
                schema = {"components": document["components"], **parameter["schema"]}
                for error in jsonschema.Draft202012Validator(schema).iter_errors(
                    parameter["example"]
                ):
                    yield f"{path} {parameter['name']}: {error.message}"
    if count < 50:
        yield f"only {count} examples were found"


def main():
    document = json.loads((SCHEMAS.parent / "openapi.json").read_text(encoding="utf-8"))
    validators, titles, files, wrong, count = {}, {}, {}, [], 0
    for schema in SCHEMAS.glob("*.schema.json"):
        value = json.loads(schema.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(value)
        name = schema.name.removesuffix(".schema.json")
        titles[value["title"]] = name
        validators[name] = jsonschema.Draft202012Validator(
            value, format_checker=jsonschema.FormatChecker()
        )
    answers = answers_of(document, titles)
    used = set()
    with tempfile.TemporaryDirectory() as folder:
        for response in sorted(GOLDEN.rglob("*.http")):
            path, body = path_and_body(response)
            names = answers.get(path, [])
            if not body:
                continue
            if response.name.endswith(".xml.http"):
                schema = xml_schema(names, body)
                file = Path(folder) / f"{response.parent.name}-{response.name}.xml"
                file.write_text(body, encoding="utf-8")
                files.setdefault(schema, []).append(file)
            elif response.name.endswith(".json.http"):
                schema = json_schema(names, json.loads(body))
                for error in validators[schema].iter_errors(json.loads(body)):
                    wrong.append(f"{response}: {error.json_path}: {error.message}")
            else:
                continue
            used.add(schema)
            count += 1
        for schema, documents in files.items():
            checked = subprocess.run(
                ["xmllint", "--noout", "--schema", SCHEMAS / f"{schema}.xsd", *documents],
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
            if checked.returncode:
                lines = checked.stderr.splitlines()
                wrong += [line for line in lines if not line.endswith(" validates")]
    wrong += invalid_examples(document)
    wrong += [f"no golden response has the schema {name}" for name in validators.keys() - used - OUTPUTS]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{count} golden responses match {len(used) - 1} schemas" if not wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
