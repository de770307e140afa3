"""The rules by which words and codes of a query match contracts, purchases and items."""

import functools
import re
import unicodedata

import snowballstemmer

LOOK_ALIKE = str.maketrans("abcehkmoptxy", "авсенкмортху")
STEMMER = snowballstemmer.stemmer("russian")


def is_cyrillic(letter):
    return "\u0400" <= letter <= "\u04ff"


@functools.cache
def stem(word):
    return STEMMER.stemWord(word)


@functools.cache
def words(text):
    """Returns the normalised, stemmed words of a string, in order."""
    text = unicodedata.normalize("NFC", text).lower().replace("ё", "е")
    runs = "".join(letter if letter.isalnum() else " " for letter in text).split(" ")
    return tuple(word(run) for run in runs if len(run) > 1)


def word(run):
    as_cyrillic = run.translate(LOOK_ALIKE)
    is_mixed = any(is_cyrillic(letter) for letter in run)
    is_size = any(letter.isdigit() for letter in run) and all(
        letter in "0123456789" or is_cyrillic(letter) for letter in as_cyrillic)
    if is_mixed or is_size:
        run = as_cyrillic
    return stem(run) if all(map(is_cyrillic, run)) else run


def has_words(question, text):
    """Returns whether a string contains all words of a query."""
    return set(words(question)) <= set(words(text))


def has_code(asked, codes):
    """Returns whether any code of an item is one of the `asked` codes or a subdivision of one."""
    return any(code == one or re.match(re.escape(one) + "[.-]", code)
               for code in codes for one in asked)


def region(inn):
    """Returns the region code of an INN, or `None`. Moscow's second code, 97, becomes 77."""
    two = inn[:2]
    if not re.fullmatch("[0-9]{2}", two):
        return None
    return "77" if two == "97" else two
