"""The rules by which the words of a query match a supplier's name. Implements only the first step
of "Finding" in the manual, which tolerates no mistakes."""

import functools
import re
from pathlib import Path

from .words import LOOK_ALIKE

DATA = Path(__file__).resolve().parents[3] / "data"
# Minimum lengths of words in which one mistake or two mistakes are tolerated. Only words of legal
# forms that are written in full may contain mistakes.
ONE_MISTAKE, TWO_MISTAKES = 8, 12
# Maximum number of a person's initials. A longer run of single letters with full stops is an
# abbreviation, such as О.О.О.
INITIALS = 2
# Maximum number of initials in a query. Any further single letters count as words.
QUERY_INITIALS = 3
# Maximum number of spellings of a query that are tried.
SPELLINGS = 8


class Initial(str):
    """A single letter followed by a full stop."""


def table(name):
    """Returns both columns of a table in `data`, as lists of lower-case words."""
    rows = (DATA / name).read_text(encoding="utf-8").splitlines()[1:]
    return [[cell.lower().split() for cell in row.split("\t")] for row in rows]


@functools.cache
def legal_forms():
    """Returns all spellings of legal forms as tuples of words, longest first, each with its
    abbreviation."""
    spellings = {}
    for short, full in table("legal-forms.tsv"):
        form = "".join(short)
        for spelling in ([form], short, full):
            spellings.setdefault(tuple(spelling), form)
    return sorted(spellings.items(), key=lambda one: -len(one[0]))


@functools.cache
def abbreviations():
    return [("".join(short), full) for short, full in table("name-abbreviations.tsv")]


def tokens(text):
    """Returns the words of a string, including their full stops."""
    text = text.lower().replace("и\u0306", "й").replace("ё", "е").replace("ë", "е")
    text = re.sub('[-\u2010-\u2015\u2212"«»“”„‟″]', " ", text).replace("№", " n ")
    found = ["".join(letter for letter in run if letter.isalnum() or letter == ".")
             for run in text.split()]
    return [part.translate(LOOK_ALIKE) for run in found for part in re.split(r"(?<=^n)(?=\d)", run)]


def normal(text):
    """Returns the normalised words of a string, including legal forms."""
    words = []
    for token in tokens(text):
        parts = [part for part in token.split(".") if part]
        count = next((at for at, part in enumerate(parts) if len(part) > 1 or not part.isalpha()),
                     len(parts))
        if "." not in token or count > INITIALS:
            count = 0
        words += map(Initial, parts[:count])
        if parts[count:]:
            words.append("".join(parts[count:]))
    words = [word for at, word in enumerate(words)
             if word != "n" or not (at + 1 < len(words) and words[at + 1][0].isnumeric())]
    joined, at = [], 0
    while at < len(words):
        end = at
        while end < len(words) and isinstance(words[end], Initial):
            end += 1
        if end - at > INITIALS:
            joined.append("".join(words[at:end]))
        else:
            joined += words[at:max(end, at + 1)]
        at = max(end, at + 1)
    return joined


def mistakes(one, other):
    """Returns the minimum number of mistakes between two words: a letter added, missing or
    replaced, or two adjacent letters swapped."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, its in enumerate(other, 1):
            cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                cost = min(cost, rows[i - 2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def is_same(word, full):
    """Returns whether `word` is the word `full` of a legal form, possibly misspelt."""
    allowed = 0 if len(full) < ONE_MISTAKE else 1 if len(full) < TWO_MISTAKES else 2
    return word == full or abs(len(word) - len(full)) <= allowed and mistakes(word, full) <= allowed


def form_at(words):
    """Returns the legal form at the start of `words` and the number of words that it takes, or
    `None` if there is none."""
    count = next((at for at, word in enumerate(words) if isinstance(word, Initial)), len(words))
    found = [(spelling[0] == words[0], len(spelling), form) for spelling, form in legal_forms()
             if len(spelling) <= count
             and (len(spelling) > 1 or spelling[0] == words[0])
             and all(map(is_same, words, spelling))]
    best = max(found, key=lambda one: one[:2], default=None)
    return best and (best[2], best[1])


@functools.cache
def parts(text):
    """Returns the words of a name, and its legal forms."""
    words, forms, rest = [], [], normal(text)
    while rest:
        found = form_at(rest)
        if found:
            forms.append(found[0])
            rest = rest[found[1]:]
        else:
            words.append(rest[0])
            rest = rest[1:]
    if not words:
        words, forms = forms[1:], forms[:1]
    return words, forms


def query_words(text):
    """Returns the words to look for. They include legal forms only if there is nothing else."""
    words, forms = parts(text)
    return words or forms


def length(text):
    """Returns the number of letters and digits in a query, including legal forms."""
    return sum(map(len, sum(parts(text), [])))


def spellings(words):
    """Yields the spellings of a query: with abbreviations written out or words abbreviated, in all
    combinations."""
    if not words:
        yield []
        return
    for rest in spellings(words[1:]):
        yield words[:1] + rest
    if isinstance(words[0], Initial):
        return
    for short, full in abbreviations():
        for before, after in (([short], full), (full, [short])):
            if words[:len(before)] == before:
                for rest in spellings(words[len(before):]):
                    yield after + rest


def has_name(query, name):
    """Returns whether each word of a query is part of a different word of a name."""
    words, forms = parts(name)
    found = list(spellings(query_words(query)))
    assert len(found) <= SPELLINGS, f"{query} has more spellings than are tried"
    return any(is_paired(spelling, words, forms) for spelling in found)


def is_paired(query, words, forms):
    initials = [word for word in query if isinstance(word, Initial)][:QUERY_INITIALS]
    rest = [word for word in query if not any(word is initial for initial in initials)]
    return is_placed(initials, rest, words, forms, 0, frozenset())


def is_placed(initials, rest, words, forms, start, taken):
    """Tries to place the initials in their order, then the other words."""
    if initials:
        return any(words[at].startswith(initials[0])
                   and is_placed(initials[1:], rest, words, forms, at + 1, taken | {at})
                   for at in range(start, len(words)))
    if not rest:
        return True
    return any(at not in taken and rest[0] in word
               and is_placed([], rest[1:], words, forms, start, taken | {at})
               for at, word in enumerate(words + forms))
