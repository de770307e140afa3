"""Ways of writing a name that somebody asks for: each takes a name and a random draw, and returns
the text, or None where the name cannot be written so."""

import unicodedata

from .invented_names import TOWNS

SHORT_LATIN = dict(zip(
    "абвгдезийклмнопрстуфхцчшщъыьэюя",
    "a b v g d e z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya".split(" ")))
SHORT_LATIN |= {"ж": "zh", "ё": "e"}
ISO_LATIN = SHORT_LATIN | {"й": "j", "х": "h", "ц": "c", "щ": "sch", "ы": "y", "ь": "'", "ю": "ju",
                           "я": "ja", "ё": "jo"}
LOOK_ALIKE = dict(zip("АВЕКМНОРСТХаеорсух", "ABEKMHOPCTXaeopcyx"))
CYRILLIC_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё№"
LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`#"
LETTERS = "абвгдежзиклмнопрстуфхцчшэюя"


def is_plain(word, length=5):
    return len(word) >= length and word.isalpha()


def in_a_word(change, length=5):
    """A way that changes one word of the name."""
    def way(name, random):
        words = name.words.split()
        long = [at for at, word in enumerate(words) if is_plain(word, length)]
        if not long:
            return None
        at = random.choice(long)
        changed = change(words[at].lower(), random)
        if changed is None or changed == words[at].lower():
            return None
        words[at] = changed
        return " ".join(words)
    return way


def other_letter(word, random):
    at = random.randrange(1, len(word))
    return word[:at] + random.choice([one for one in LETTERS if one != word[at]]) + word[at + 1:]


def missing(word, random):
    at = random.randrange(1, len(word))
    return word[:at] + word[at + 1:]


def doubled(word, random):
    at = random.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def exchanged(word, random):
    at = random.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2:]


def as_it_sounds(word, random):
    sounds = {"о": "а", "е": "и", "я": "и", "в": "ф", "г": "к", "д": "т", "з": "с", "б": "п", "ж": "ш"}
    places = [at for at, letter in enumerate(word) if letter in sounds and at > 0]
    if not places:
        return None
    at = random.choice(places)
    return word[:at] + sounds[word[at]] + word[at + 1:]


def genitive(name, random):
    def of(word):
        lower = word.lower()
        if not lower.isalpha() or len(lower) < 3:
            return word
        if lower.endswith("ний"):
            return word[:-2] + "его"
        if lower.endswith(("ый", "ой", "ий")) and name.kind != "person":
            return word[:-2] + "ого"
        if lower.endswith(("ий", "ь", "й")):
            return word[:-1] + "я"
        if lower[-1] in "аеоуыияю":
            return {"а": word[:-1] + "ы", "я": word[:-1] + "и", "о": word[:-1] + "а"}.get(lower[-1], word)
        return word + "а"
    words = [of(word) for word in name.words.replace("-", " ").split()]
    return " ".join(words) if name.kind != "institution" else None


def split_in_two(word, random):
    at = random.randrange(3, len(word) - 2) if len(word) > 5 else None
    return at and f"{word[:at]} {word[at:]}"


def other_order(name, random):
    words = name.words.split()
    if len(words) < 2 or "№" in words or "и" in words:
        return None
    random.shuffle(words)
    return " ".join(words)


def latin(table):
    return lambda text: "".join(table.get(letter, letter) for letter in text.lower())


def transliterated(name, random):
    written = latin(random.choice([SHORT_LATIN, ISO_LATIN]))(name.words.replace("№", "N"))
    return " ".join(word.capitalize() for word in written.split())


def other_layout(name, random):
    keys = dict(zip(CYRILLIC_KEYS, LATIN_KEYS))
    return "".join(keys.get(letter, letter) for letter in name.words.lower())


def initials(name):
    surname, given, patronymic = name.words.split()
    return surname, given[0], patronymic[0]


def person(form):
    return lambda name, random: form(name) if name.kind == "person" else None


def has(part, write):
    return lambda name, random: write(name.words) if part in name.words else None


def left_out(name, random):
    words = name.words.split()
    if len(words) < 3 or "№" in words or "и" in words:
        return None
    words.pop(random.randrange(len(words)))
    return " ".join(words)


def abbreviated(name, random):
    words = name.words.split()
    if len(words) != 2 or name.kind != "firm" or not is_plain(words[0]):
        return None
    return f"{words[0][:3]}. {words[1]}"


def two_mistakes(word, random):
    once = other_letter(word, random)
    twice = other_letter(once, random)
    apart = sum(one != other for one, other in zip(word, twice))
    return twice if apart == 2 else None


def mixed(text, random, all_of_them):
    places = [at for at, letter in enumerate(text) if letter in LOOK_ALIKE]
    if not places:
        return None
    chosen = places if all_of_them else [random.choice(places)]
    return "".join(LOOK_ALIKE[one] if at in chosen else one for at, one in enumerate(text))


def firm(form):
    return lambda name, random: form(name) if name.kind != "person" else None


WAYS = {
    "01 short form and «quotes»": firm(lambda name: f"{name.form} «{name.words}»"),
    "02 bare name, lower case": lambda name, random: name.words.lower(),
    "03 form after the name": firm(lambda name: f"{name.words}, {name.form}"),
    "04 form in full, no quotes": firm(lambda name: f"{name.full_form} {name.words}"),
    "05 other form": firm(lambda name: f"ПАО «{name.words}»"),
    "06 one letter other": in_a_word(other_letter),
    "07 first letter other": in_a_word(lambda word, random: random.choice(LETTERS) + word[1:]),
    "08 letter missing": in_a_word(missing),
    "09 letter doubled": in_a_word(doubled),
    "10 letters exchanged": in_a_word(exchanged),
    "11 two mistakes in a word": in_a_word(two_mistakes, 6),
    "12 as it sounds": in_a_word(as_it_sounds),
    "13 words in other order": other_order,
    "14 words joined": lambda name, random: name.words.replace(" ", "")
        if len(name.words.split()) > 1 and "№" not in name.words else None,
    "15 word split in two": in_a_word(split_in_two, 6),
    "16 hyphen as space": has("-", lambda words: words.replace("-", " ")),
    "17 space as hyphen": has(" ", lambda words: words.replace(" ", "-")),
    "18 one Latin look-alike": lambda name, random: mixed(name.words.upper(), random, False),
    "19 all look-alikes Latin": lambda name, random: mixed(name.words.upper(), random, True),
    "20 transliterated": transliterated,
    "21 wrong keyboard layout": other_layout,
    "22 ё as е": has("ё", lambda words: words.replace("ё", "е")),
    "23 й, ё as two characters": lambda name, random: unicodedata.normalize("NFD", name.words)
        if set(name.words) & set("йё") else None,
    "24 genitive": genitive,
    "25 и as &": has(" и ", lambda words: words.replace(" и ", " & ")),
    "26 и left out": has(" и ", lambda words: words.replace(" и ", " ")),
    "27 № 5 as №5": has("№", lambda words: words.replace("№ ", "№")),
    "28 № 5 as N5": has("№", lambda words: words.replace("№ ", "N")),
    "29 № 5 as 5": has("№", lambda words: words.replace("№ ", "")),
    "31 ИП surname and initials": person(lambda name: "ИП {} {}.{}.".format(*initials(name))),
    "32 ИП initials first": person(lambda name: "ИП {1}. {2}. {0}".format(*initials(name))),
    "33 ИП surname and name": person(lambda name: "ИП " + " ".join(name.words.split()[:2])),
    "34 ИП in front of the whole name": person(lambda name: f"ИП {name.words}"),
    "35 a word left out": left_out,
    "36 a word more (town)": lambda name, random: f"{name.words}, г. {random.choice(TOWNS)}"
        if random.randrange(2) else f"{name.words} {random.choice(TOWNS)}",
    "37 abbreviated words": abbreviated,
    "38 capitals without form": lambda name, random: name.words.upper(),
    "39 soft hyphen, no-break spaces": lambda name, random: name.words[:4] + "\u00ad"
        + name.words[4:].replace(" ", "\u00a0"),
    "40 official abbreviation": lambda name, random: f"{name.form} {name.words}"
        if name.kind == "institution" else None,
}


def fits(way, text, name):
    """Whether a name may be meant by a text written this way, as well as the name it was made of."""
    words = name.words.lower().split()
    if way[:2] in ("31", "32"):
        if name.kind != "person":
            return False
        asked = text.lower().removeprefix("ип ").replace(".", " ").split()
        long = [word for word in asked if len(word) > 1]
        short = [word for word in asked if len(word) == 1]
        return words[:1] == long and [word[0] for word in words[1:]] == short
    if way[:2] in ("33", "35", "29"):
        return all(word in words for word in text.lower().removeprefix("ип ").split())
    if way[:2] == "37":
        asked = text.lower().replace(".", "").split()
        return len(words) == 2 and words[0].startswith(asked[0]) and words[1] == asked[1]
    return False
