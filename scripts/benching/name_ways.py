"""Ways in which users write or misspell names. Each way is a function that takes a name and a
random generator, and returns the changed text, or None if the way does not apply to the name."""

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


def change_one_word(change, length=5):
    """Returns a way that applies `change` to one random word of at least `length` letters."""
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


def replace_letter(word, random):
    at = random.randrange(1, len(word))
    return word[:at] + random.choice([one for one in LETTERS if one != word[at]]) + word[at + 1:]


def drop_letter(word, random):
    at = random.randrange(1, len(word))
    return word[:at] + word[at + 1:]


def double_letter(word, random):
    at = random.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def swap_letters(word, random):
    at = random.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2:]


def spell_phonetically(word, random):
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


def split_word(word, random):
    at = random.randrange(3, len(word) - 2) if len(word) > 5 else None
    return at and f"{word[:at]} {word[at:]}"


def shuffle_words(name, random):
    words = name.words.split()
    if len(words) < 2 or "№" in words or "и" in words:
        return None
    random.shuffle(words)
    return " ".join(words)


def latin(table):
    return lambda text: "".join(table.get(letter, letter) for letter in text.lower())


def transliterate(name, random):
    written = latin(random.choice([SHORT_LATIN, ISO_LATIN]))(name.words.replace("№", "N"))
    return " ".join(word.capitalize() for word in written.split())


def use_wrong_layout(name, random):
    keys = dict(zip(CYRILLIC_KEYS, LATIN_KEYS))
    return "".join(keys.get(letter, letter) for letter in name.words.lower())


def initials(name):
    surname, given, patronymic = name.words.split()
    return surname, given[0], patronymic[0]


def person(form):
    return lambda name, random: form(name) if name.kind == "person" else None


def has(part, write):
    return lambda name, random: write(name.words) if part in name.words else None


def drop_word(name, random):
    words = name.words.split()
    if len(words) < 3 or "№" in words or "и" in words:
        return None
    words.pop(random.randrange(len(words)))
    return " ".join(words)


def abbreviate(name, random):
    words = name.words.split()
    if len(words) != 2 or name.kind != "firm" or not is_plain(words[0]):
        return None
    return f"{words[0][:3]}. {words[1]}"


def replace_two_letters(word, random):
    once = replace_letter(word, random)
    twice = replace_letter(once, random)
    apart = sum(one != other for one, other in zip(word, twice))
    return twice if apart == 2 else None


def use_look_alikes(text, random, all_of_them):
    places = [at for at, letter in enumerate(text) if letter in LOOK_ALIKE]
    if not places:
        return None
    chosen = places if all_of_them else [random.choice(places)]
    return "".join(LOOK_ALIKE[one] if at in chosen else one for at, one in enumerate(text))


def firm(form):
    return lambda name, random: form(name) if name.kind != "person" else None


# The titles seed the random generator, so rewording a title changes which names are searched for.
WAYS = {
    "01 short form and «quotes»": firm(lambda name: f"{name.form} «{name.words}»"),
    "02 bare name, lower case": lambda name, random: name.words.lower(),
    "03 form after the name": firm(lambda name: f"{name.words}, {name.form}"),
    "04 form in full, no quotes": firm(lambda name: f"{name.full_form} {name.words}"),
    "05 other form": firm(lambda name: f"ПАО «{name.words}»"),
    "06 one letter other": change_one_word(replace_letter),
    "07 first letter other": change_one_word(lambda word, random: random.choice(LETTERS) + word[1:]),
    "08 letter missing": change_one_word(drop_letter),
    "09 letter doubled": change_one_word(double_letter),
    "10 letters exchanged": change_one_word(swap_letters),
    "11 two mistakes in a word": change_one_word(replace_two_letters, 6),
    "12 as it sounds": change_one_word(spell_phonetically),
    "13 words in other order": shuffle_words,
    "14 words joined": lambda name, random: name.words.replace(" ", "")
        if len(name.words.split()) > 1 and "№" not in name.words else None,
    "15 word split in two": change_one_word(split_word, 6),
    "16 hyphen as space": has("-", lambda words: words.replace("-", " ")),
    "17 space as hyphen": has(" ", lambda words: words.replace(" ", "-")),
    "18 one Latin look-alike": lambda name, random: use_look_alikes(name.words.upper(), random, False),
    "19 all look-alikes Latin": lambda name, random: use_look_alikes(name.words.upper(), random, True),
    "20 transliterated": transliterate,
    "21 wrong keyboard layout": use_wrong_layout,
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
    "35 a word left out": drop_word,
    "36 a word more (town)": lambda name, random: f"{name.words}, г. {random.choice(TOWNS)}"
        if random.randrange(2) else f"{name.words} {random.choice(TOWNS)}",
    "37 abbreviated words": abbreviate,
    "38 capitals without form": lambda name, random: name.words.upper(),
    "39 soft hyphen, no-break spaces": lambda name, random: name.words[:4] + "\u00ad"
        + name.words[4:].replace(" ", "\u00a0"),
    "40 official abbreviation": lambda name, random: f"{name.form} {name.words}"
        if name.kind == "institution" else None,
}


def fits(way, text, name):
    """Returns whether `text`, which is another name written in this way, also fits `name`. For
    example, several people may share surname and initials."""
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
