"""Generates random queries that suit the data of a file. Also lists invalid queries."""

from .answers import FACTS, Query
from .names import SPELLINGS, abbreviations, length, normal, query_words, spellings
from .words import words

SORTS = {
    "/contract/search": ["signDate", "-signDate", "contractPrice", "-contractPrice", "updateDate",
                         "-updateDate"],
    "/purchase/search": ["published", "-published", "price", "-price", "closes"],
}
PATHS = ["/contract/search", "/contract/search", "/contract/summary", "/contract/summary-supplier44",
         "/contract/prices", "/purchase/search", "/rnp/entries", "/rnp/entries"]
# Invalid queries. Each must be answered with status 400.
INVALID = [
    (path, parameters)
    for path in ("/contract/search", "/contract/summary", "/contract/prices", "/purchase/search")
    for parameters in (
        {}, {"q": "!?.,- *"}, {"q": "слово " * 11}, {"q": "о" * 201}, {"q": "ё"}, {"code": "бумага"},
        {"code": "17.23."}, {"code": "1"}, {"code": "17, 18"}, {"code": "17,,18"}, {"q": "бумага", "region": "770"},
        {"q": "бумага", "region": ",".join(["77"] * 11)},
    )
] + [
    ("/contract/prices", {"region": "77"}), ("/contract/search", {"fact": "listed"}),
    ("/contract/search", {"stage": "E"}), ("/contract/summary", {"q": "бумага", "top": "10001"}),
    ("/purchase/search", {"law": "44"}), ("/purchase/search", {"q": "бумага", "law": "45"}),
    ("/purchase/search", {"q": "бумага", "sort": "-closes"}), ("/rnp/entries", {"q": "ст"}),
    ("/rnp/entries", {"inForce": "yes"}), ("/rnp/entries", {"q": "ИП"}), ("/rnp/entries", {"q": "«О.» - Ё!"}),
    ("/rnp/entries", {"q": "№ 12"}), ("/rnp/entries", {"q": "ё" * 201}),
]


class QueryGenerator:
    """Generates queries whose words, codes, numbers and days mostly occur in the data."""

    def __init__(self, random, data):
        self.random, self.data = random, data

    def next_query(self):
        path = self.random.choice(PATHS)
        parameters = {
            "/purchase/search": self.of_purchases, "/rnp/entries": self.of_entries,
        }.get(path, self.of_contracts)(path)
        if not path.startswith("/contract/summary"):
            parameters |= self.some(0.5, skip=lambda: self.random.choice([0, 1, 7]))
            parameters |= self.some(0.5, limit=lambda: self.random.choice([0, 1, 10, 200]))
        if path in SORTS:
            parameters |= self.some(0.7, sort=lambda: self.random.choice(SORTS[path]))
        return Query(path, {name: str(value) for name, value in parameters.items() if value != ""})

    def next_of_listed(self):
        """Draws a query about contracts signed while their suppliers were listed, or about the
        entries."""
        path = self.random.choice(["/contract/search", "/contract/summary", "/rnp/entries"])
        if path == "/rnp/entries":
            return Query(path, self.of_entries(path))
        entry = self.random.choice(self.data.entries)
        of_supplier = {"supplierINN": entry.inn} if entry.inn and self.random.random() < 0.5 else {}
        return Query(path, {"fact": "signedWhileListed"} | of_supplier | self.some(
            0.3, laws=lambda: self.random.choice(["44", "223,44", "615"]), signedFrom=self.day))

    def some(self, share, **drawn):
        """Picks each parameter with probability `share`."""
        return {name: draw() for name, draw in drawn.items() if self.random.random() < share}

    def of_contracts(self, path):
        one = self.random.choice(self.data.contracts)
        codes = [code for item in one.items for code in item.codes]
        text = self.random.choice([item.name for item in one.items] or [one.text])
        if path != "/contract/prices":
            text = one.text
        sought = {
            "q": lambda: self.words(text), "code": lambda: self.codes(codes),
            "region": lambda: self.regions(one.get("customerInn")),
            "customerInn": lambda: digits(one.get("customerInn")), "supplierINN": lambda: one.inn,
            "fact": lambda: ",".join(self.random.sample(FACTS, self.random.choice([1, 1, 2, 8]))),
        }
        filters = {
            "stage": lambda: self.random.choice(["E", "EC", "E,ET", "IN"]),
            "signedFrom": self.day, "signedTo": self.day, "updatedFrom": self.day,
            "priceFrom": self.price, "priceTo": self.price,
            "hasSubcontractors": self.flag, "overdue": self.flag,
            "laws": lambda: self.random.choice(["44", "223,44", "615"]),
        }
        needed = list(sought)
        if path == "/contract/prices":
            needed = ["q", "code"]
        elif path == "/contract/summary-supplier44":
            sought = {name: sought[name] for name in ("supplierINN", "customerInn")}
            needed = ["supplierINN"]
        parameters = self.some(0.15, **sought) | self.some(0.08, **filters)
        name = self.random.choice(needed)
        parameters[name] = sought[name]()
        if not any(parameters.get(name) for name in needed):
            parameters["q"] = self.words("поставка бумага мыло")
        if path.startswith("/contract/summary"):
            parameters |= self.some(0.5, top=lambda: self.random.choice([1, 3, 10000]))
        return parameters

    def of_purchases(self, _):
        one = self.random.choice(self.data.purchases)
        sought = {
            "q": lambda: self.words(one.text), "code": lambda: self.codes(one.codes),
            "region": lambda: self.regions(one.customer[0]),
            "customerInn": lambda: digits(one.customer[0]),
        }
        filters = {
            "law": lambda: self.random.choice(["44", "223", "615,44", "44,223,615"]),
            "publishedFrom": self.day, "publishedTo": self.day, "priceFrom": self.price,
            "priceTo": self.price, "open": self.flag,
        }
        parameters = self.some(0.2, **sought) | self.some(0.15, **filters)
        name = self.random.choice(list(sought))
        parameters[name] = sought[name]()
        if not any(parameters.get(name) for name in sought):
            parameters["q"] = self.words("поставка бумага мыло")
        return parameters

    def of_entries(self, _):
        one = self.random.choice(self.data.entries)
        return self.some(
            0.25, laws=lambda: self.random.choice(["44", "223,44", "615"]), inForce=self.flag,
            asOf=self.day, registeredFrom=self.day, registeredTo=self.day,
            region=lambda: self.regions(one.get("customerINN")),
            customerINN=lambda: digits(one.get("customerINN")),
        ) | self.some(0.6, q=lambda: self.name(one.name))

    def name(self, name):
        """Draws words of a name or parts of them, in a different order and spelling, with a
        different legal form."""
        found = normal(name) or ["строй"]
        drawn = self.random.sample(found, min(len(found), self.random.choice([1, 2, 3, 9])))
        for at, word in enumerate(drawn):
            start = self.random.choice([0, 0, 0, 1, 2])
            drawn[at] = word[start:self.random.choice([len(word), len(word), start + 3])] or word
        for short, full in abbreviations():
            for before, after in ((short, " ".join(full)), (" ".join(full), short)):
                text = f" {' '.join(drawn)} "
                if f" {before} " in text and self.random.random() < 0.5:
                    drawn = text.replace(f" {before} ", f" {after} ", 1).split()
        if self.random.random() < 0.3:
            drawn.insert(self.random.choice([0, len(drawn)]), self.random.choice(
                ["ООО", "о.о.о.", "Общество с ограниченной ответственностью", "ГБУЗ", "ИП", "неведомое",
                 "Обшество с ограниченой ответсвенностью", "акционерное общество", "А.", "О. А.", "№"]))
        spelt = [self.random.choice([word, word, word.upper(), f"«{word}»", f"{word},", f"{word[:1]}'{word[1:]}", f"{word[:1]}.",
                                     word.replace("е", "ё"), word.translate(LATIN)]) for word in drawn]
        text = self.random.choice([" ", " ", "-", "  ", " - "]).join(spelt)
        is_valid = length(text) >= 3 and len(text) <= 200
        return text if is_valid and len(list(spellings(query_words(text)))) <= SPELLINGS else "строй"

    def words(self, text):
        """Draws one to three words from a string, and rarely an unrelated word, in varied case and
        punctuation."""
        found = [word for word in text.split() if words(word)] or ["поставка"]
        drawn = [self.random.choice(found) for _ in range(self.random.choice([1, 1, 2, 3]))]
        if self.random.random() < 0.1:
            drawn.append(self.random.choice(["OR", "NEAR", "неведомое", "AND бумага"]))
        spelt = [self.random.choice([word, word.upper(), word.lower(), f'"{word}"', f"{word}*", f"-{word}"])
                 for word in drawn]
        text = self.random.choice([" ", ", ", " + "]).join(spelt)
        return text if 0 < len(words(text)) <= 10 and len(text) <= 200 else "поставка"

    def codes(self, codes):
        drawn = []
        for _ in range(self.random.choice([1, 1, 2])):
            code = self.random.choice(codes or ["17.23"]) or "17"
            cut = code[:self.random.randint(2, len(code))].rstrip(".-")
            drawn.append(self.random.choice([code, cut]))
        return ",".join(drawn)

    def regions(self, inn):
        near = inn[:2] if inn[:2].isdigit() and len(inn) > 1 else "50"
        return self.random.choice([near, f"{near},77", "97", "50,96"])

    def day(self):
        one = self.random.choice(self.data.contracts)
        return one.get("signDate") or "2024-06-01"

    def price(self):
        price = self.random.choice(self.data.contracts).price
        return 1000 if price is None or abs(price) >= 10**18 or price < 0 else f"{price:.2f}"

    def flag(self):
        return self.random.choice(["true", "false"])


# Latin letters that look like Cyrillic ones.
LATIN = str.maketrans("авсенкмортху", "abcehkmoptxy")


def digits(inn):
    return inn if inn.isascii() and inn.isdigit() and len(inn) <= 20 else ""
