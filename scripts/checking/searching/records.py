"""Reads the records of an export."""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

FACTS = {
    "terminatedBySupplier": "terminationSupplier",
    "terminatedByCustomer": "terminationCostomer",
    "terminatedByCourt": "terminationJudge",
    "terminatedMutually": "terminationBoth",
}
# Fields of an item that responses with contracts leave out.
HIDDEN = ("name", "okei", "okeiName", "quantity", "price", "okpd2", "ktru")


def number(value):
    return None if value in (None, "") else Decimal(str(value))


def text(value):
    return "" if value is None else str(value)


def listed(value, name):
    """Returns the items of a list in any form that cards use: `{name: [...]}`, a list, or a single
    item."""
    if isinstance(value, dict):
        value = value.get(name)
    if value in (None, ""):
        return []
    return value if isinstance(value, list) else [value]


def iso(dotted):
    """Converts `DD.MM.YYYY`, as in cards, to `YYYY-MM-DD`; "" if there is no date."""
    found = re.match(r"(\d\d)\.(\d\d)\.(\d{4})", text(dotted))
    return f"{found[3]}-{found[2]}-{found[1]}" if found else ""


@dataclass
class Item:
    name: str
    codes: list
    code: str
    okei: str
    okei_name: str
    quantity: Decimal
    price: Decimal
    sum: Decimal


@dataclass
class Contract:
    inn: str
    name: str
    page: dict
    items: list = field(default_factory=list)

    def get(self, name):
        return text(self.page.get(name))

    @property
    def price(self):
        return number(self.page.get("contractPrice"))

    @property
    def text(self):
        return "\n".join([self.get("purchaseObjectInfo"), *(item.name for item in self.items)])

    @property
    def is_annulled(self):
        return self.get("contractStage") == "IN"

    def is_overdue(self, today):
        """Returns whether the contract is overdue, or `None` if that is unknown: there is no stage,
        or a running contract has no end date."""
        stage, end = self.get("contractStage"), self.get("endDate")
        if not stage or stage == "E" and not end:
            return None
        return stage == "E" and end < today

    def facts(self, entries, today):
        """Returns the risk facts in the order of responses. `entries` are the RNP entries of the
        supplier."""
        if self.is_annulled:
            return []
        signed = self.get("signDate")
        holds = {
            "signedWhileListed": bool(signed) and any(one.is_in_force(signed) for one in entries),
            **{fact: bool(self.page.get(flag)) for fact, flag in FACTS.items()},
            "penalties": (number(self.page.get("penaltiesTotal")) or 0) > 0,
            "guaranteeClaims": bool(self.page.get("bankGuaranteePayments")),
            "overdue": self.is_overdue(today) is True,
        }
        return [fact for fact, is_so in holds.items() if is_so]


@dataclass
class Entry:
    inn: str
    name: str
    page: dict

    def get(self, name):
        return text(self.page.get(name))

    def is_in_force(self, day):
        until = self.get("excludeDate")
        return self.get("registrationDate") <= day and (not until or day <= until)


@dataclass
class Purchase:
    kind: str
    number: str
    published: str
    subject: str
    way: str
    price: Decimal
    closes: str
    customer: tuple
    winner: tuple
    text: str
    codes: list

    @property
    def law(self):
        return self.kind.removeprefix("purchase")

    def closes_at(self):
        """Returns when submission ends, in Moscow time, or `None`."""
        day = iso(self.closes)
        if not day:
            return None
        time = self.closes[11:16]
        # Without a time of day, submission ends at the end of the day.
        end = timedelta(days=1) if not time else timedelta(hours=int(time[:2]), minutes=int(time[3:]))
        return datetime.fromisoformat(day) + end


def customer(customers, organisation):
    """Returns INN and name of the first customer that has an INN, otherwise of the organisation."""
    found = next((one for one in customers if one and text(one.get("inn"))), organisation)
    return text(found.get("inn")), text(found.get("fullName"))


def purchase(kind, card):
    lots = listed(card.get("lots"), "lot")
    customers = [one for lot in lots for one in listed(lot.get("customers"), "customer")]
    organisation = card.get("responsibleOrg") or {}
    if kind == "purchase44":
        items = [item for lot in lots for item in listed(lot.get("purchaseObjects"), "purchaseObject")]
        names = [text(lot.get("lotObjectInfo")) for lot in lots]
        codes = [text(item.get(code)) for item in items for code in ("OKPD2", "KTRU")]
        winners = [lot.get("winner") for lot in lots]
        closes = (card.get("procedureInfo") or {}).get("end")
    elif kind == "purchase223":
        items = [item for one in customers for item in listed(one.get("purchaseObjects"), "purchaseObject")]
        names = [text(lot.get("lotName")) for lot in lots]
        codes = [text(item.get("okpd2")) for item in items]
        winners = listed(card.get("winners"), "winner")
        customers, closes = [card.get("mainCustomer")], card.get("submissionCloseDateTime")
    else:
        items, names, codes, customers = [], [], [], []
        winners, closes = [card.get("winner")], card.get("collectingEndDate")
    named = lambda one: text(one.get("inn")) or text(one.get("name"))
    won = [one for one in winners if one and (named(one) or text(one.get("price")))]
    won = next((one for one in won if named(one)), next(iter(won), {}))
    names = [text(card.get("purchaseObjectInfo")), *names, *(text(item.get("name")) for item in items)]
    return Purchase(
        kind=kind,
        number=text(card["purchaseNumber"]),
        published=iso(card.get("docPublishDate")),
        subject=text(card.get("purchaseObjectInfo")),
        way=text(card.get("placingWay")),
        price=number(card.get("fullNMCK")),
        closes=text(closes),
        customer=customer(customers, organisation),
        winner=(text(won.get("inn")), text(won.get("name")), number(won.get("price"))),
        text="\n".join(names),
        codes=[code for code in codes if code],
    )


def item(line):
    codes = [text(line.get(name)) for name in ("code", "okpd2", "ktru")]
    return Item(
        name=text(line.get("name")), code=codes[0], codes=[code for code in codes if code],
        okei=text(line.get("okei")), okei_name=text(line.get("okeiName")),
        quantity=number(line.get("quantity")), price=number(line.get("price")),
        sum=number(line.get("sum")),
    )


class Records:
    """All records of an export."""

    def __init__(self, lines):
        self.contracts, self.purchases, self.entries, self.registries = [], [], [], {}
        self.entries_of = {}
        for line in lines:
            line = json.loads(line, parse_float=Decimal)
            self.add(line["type"], line)

    def add(self, kind, line):
        supplier = line.get("supplier") or {}
        inn, name = text(supplier.get("inn")), text(supplier.get("name"))
        if kind == "contract":
            page = line["contract"]
            items = listed(page.get("products"), "product")
            page["products"] = [
                {key: value for key, value in one.items() if key not in HIDDEN} for one in items
            ] or None
            self.contracts.append(Contract(inn, name, page, [item(one) for one in items]))
        elif kind.startswith("purchase"):
            self.purchases.append(purchase(kind, line["purchase"]))
        elif kind == "rnpEntry":
            entry = Entry(inn, name, line["entry"])
            self.entries.append(entry)
            self.entries_of.setdefault(inn, []).append(entry)
        elif kind == "registry":
            self.registries[line["federalLaw"]] = line["completeAsOf"]
