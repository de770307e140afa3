"""Computes the expected answer of each endpoint by scanning all records."""

from collections import defaultdict
from decimal import Decimal

from .figures import share, unit
from .names import has_name
from .words import has_code, has_words, region

FACTS = ("signedWhileListed", "terminatedBySupplier", "terminatedByCustomer", "terminatedByCourt",
         "terminatedMutually", "penalties", "guaranteeClaims", "overdue")
STAGES = ("E", "EC", "ET", "IN", "")


class Query:
    """A request: a path and its parameters."""

    def __init__(self, path, parameters):
        self.path, self.parameters = path, parameters

    def get(self, name, default=""):
        return self.parameters.get(name, default)

    def some(self, name):
        """Returns the values of a comma-separated parameter; empty if the parameter is missing."""
        return [value for value in self.get(name).split(",") if value]


class Oracle:
    """Computes responses from the records of an export, as of a day and a time in Moscow."""

    def __init__(self, data, today, now):
        self.data, self.today, self.now = data, today, now

    def answer(self, query):
        return getattr(self, query.path.strip("/").replace("/", "_").replace("-", "_"))(query)

    def contract_search(self, query):
        found = ordered(self.matching(query), query.get("sort") or "-signDate")
        return page(query, "contracts", [
            {"supplierINN": one.inn or None, "supplierName": one.name or None, **one.page}
            for one in found
        ])

    def contract_summary(self, query):
        return self.summary(query, self.matching(query))

    def contract_summary_supplier44(self, query):
        summary = self.summary(query, self.matching(query))
        for name in ("suppliers", "suppliersCount"):
            del summary[name]
        for one in summary["customers"]:
            figures = {name: one.pop(name) for name in list(one)}
            one |= {"customerInn": figures.pop("inn"), "customerName": figures.pop("name"), **figures}
        names = (one.name for one in self.data.contracts if one.inn == query.get("supplierINN"))
        return {"supplierINN": query.get("supplierINN"), "supplierIName": next(names, None), **summary}

    def contract_prices(self, query):
        matching = [(one, [item for item in one.items if is_priced(query, item)])
                    for one in ordered(self.matching(query, of_items=True), "-signDate")]
        # A contract with several suppliers has one record per supplier. Count only the items of its
        # first record that has matching items.
        items_of = {}
        for one, items in matching:
            if items and not one.is_annulled:
                items_of.setdefault(one.get("regNum"), (one, items))
        found = [(one, item) for one, items in items_of.values() for item in items]
        units = defaultdict(list)
        for _, item in found:
            units[item.okei].append(item)
        units = [
            unit(okei, next((item.okei_name for item in items if item.okei_name), ""),
                 [item.price for item in items])
            for okei, items in units.items()
        ]
        units.sort(key=lambda one: (-one["count"], one["okei"] or ""))
        items = [priced(one, item) for one, item in found]
        answer = page(query, "items", items)
        return {name: answer[name] for name in ("totalcount", "skip", "limit")} | {
            "units": units, "items": answer["items"]}

    def purchase_search(self, query):
        found = [one for one in self.data.purchases if self.is_purchase_matching(query, one)]
        sort = query.get("sort") or "-published"
        found.sort(key=lambda one: one.number, reverse=True)
        found.sort(key=lambda one: one.published, reverse=True)
        keys = {"published": lambda one: one.published, "price": lambda one: one.price,
                "closes": lambda one: one.closes_at()}
        key = keys[sort.lstrip("-")]
        found.sort(key=lambda one: missing_last(key(one), sort.startswith("-")))
        return page(query, "purchases", [{
            "kind": one.kind, "number": one.number, "published": one.published or None,
            "subject": one.subject or None, "placingWay": one.way or None, "stage": STAGE,
            "price": one.price, "closes": one.closes or None,
            "customerINN": one.customer[0] or None, "customerName": one.customer[1] or None,
            "winnerINN": one.winner[0] or None, "winnerName": one.winner[1] or None,
            "winnerPrice": one.winner[2],
        } for one in found])

    def rnp_entries(self, query):
        day = query.get("asOf") or self.today
        found = [one for one in self.data.entries if is_entry_matching(query, one, day)]
        found.sort(key=lambda one: (one.get("registrationDate"), one.get("registrationNumber")),
                   reverse=True)
        return page(query, "entries", [
            {"supplierINN": one.inn or None, "supplierName": one.name or None, **one.page,
             "inForce": one.is_in_force(day)}
            for one in found
        ])

    def facts(self, query, contract):
        """Returns the risk facts of a contract, considering only registry entries under the
        requested laws."""
        laws = query.some("laws") or ["44", "223", "615"]
        entries = self.data.entries_of.get(contract.inn, []) if contract.inn else []
        return contract.facts([one for one in entries if one.get("federalLaw") in laws], self.today)

    def matching(self, query, of_items=False):
        """Returns the matching contracts. With `of_items`, ignores words and codes, which the
        caller then checks for each item."""
        return [one for one in self.data.contracts
                if (of_items or is_content_matching(query, one.text,
                                                     [code for item in one.items for code in item.codes]))
                and is_party_matching(query, one.get("customerInn"))
                and query.get("supplierINN") in ("", one.inn)
                and (not query.get("fact") or set(query.some("fact")) & set(self.facts(query, one)))
                and self.is_filtered(query, one)]

    def is_filtered(self, query, one):
        """Returns whether a contract matches the filters that /contract/monitor-supplier44 has."""
        signed, price = one.get("signDate"), one.price
        holds = {
            "stage": lambda value: one.get("contractStage") in value.split(","),
            "signedFrom": lambda value: signed >= value,
            "signedTo": lambda value: signed != "" and signed <= value,
            "updatedFrom": lambda value: one.get("updateDate") >= value,
            "priceFrom": lambda value: price is not None and price >= Decimal(value),
            "priceTo": lambda value: price is not None and price <= Decimal(value),
            "hasSubcontractors": lambda value: bool(one.page.get("subContractors")) == (value == "true"),
            "overdue": lambda value: one.is_overdue(self.today) is (value == "true"),
        }
        return all(test(query.get(name)) for name, test in holds.items() if query.get(name))

    def is_purchase_matching(self, query, one):
        price, closes = one.price, one.closes_at()
        holds = {
            "law": lambda value: one.law in value.split(","),
            "publishedFrom": lambda value: one.published >= value,
            "publishedTo": lambda value: one.published != "" and one.published <= value,
            "priceFrom": lambda value: price is not None and price >= Decimal(value),
            "priceTo": lambda value: price is not None and price <= Decimal(value),
            "open": lambda value: closes is not None and (closes > self.now) == (value == "true"),
        }
        return (is_content_matching(query, one.text, one.codes)
                and is_party_matching(query, one.customer[0])
                and all(test(query.get(name)) for name, test in holds.items() if query.get(name)))

    def summary(self, query, found):
        # Count each contract once, under the supplier that comes first in the search results.
        newest = ordered(found, "-signDate")
        contracts = once(newest)
        rest = [one for one in contracts if not one.is_annulled]
        annulled = [one for one in contracts if one.is_annulled]
        top = int(query.get("top") or 10)
        years = defaultdict(list)
        for one in rest:
            years[one.get("signDate")[:4]].append(one)
        by_stage = [[one for one in contracts if one.get("contractStage") == stage] for stage in STAGES]
        whole = total(rest)
        customers = parties(rest, lambda one: (one.get("customerInn"), one.get("customerName")))
        suppliers = parties([one for one in newest if not one.is_annulled],
                            lambda one: (one.inn, one.name))
        of_facts = defaultdict(dict)
        for one in newest:
            for fact in self.facts(query, one):
                of_facts[fact].setdefault(one.get("regNum"), one)
        return {
            "totalcount": len(contracts), "totalSum": whole,
            "pricelessCount": sum(one.price is None for one in rest),
            "annulledCount": len(annulled), "annulledSum": total(annulled),
            "years": [{"year": int(year) if year else None, "count": len(some), "sum": total(some)}
                      for year, some in sorted(years.items(), reverse=True)],
            "stages": [{"contractStage": stage or None, "count": len(some), "sum": total(some)}
                       for stage, some in zip(STAGES, by_stage) if some],
            "customers": largest(customers, whole, top),
            "suppliers": largest(suppliers, whole, top),
            "customersCount": len(customers), "suppliersCount": len(suppliers),
            "facts": [{"fact": fact, "count": len(of_facts[fact]), "sum": total(of_facts[fact].values())}
                      for fact in FACTS if of_facts[fact]],
        }


# Placeholder. The script replaces it with the stage on the purchase's card.
STAGE = object()


def is_content_matching(query, text, codes):
    return ((not query.get("q") or has_words(query.get("q"), text))
            and (not query.get("code") or has_code(query.some("code"), codes)))


def is_party_matching(query, customer):
    regions = ["77" if one == "97" else one for one in query.some("region")]
    return ((not regions or region(customer) in regions)
            and query.get("customerInn") in ("", customer))


def is_priced(query, item):
    return (item.price is not None and item.price > 0
            and is_content_matching(query, item.name, item.codes))


def is_entry_matching(query, one, day):
    registered = one.get("registrationDate")
    laws = query.some("laws")
    holds = {
        "inForce": lambda value: one.is_in_force(day) == (value == "true"),
        "registeredFrom": lambda value: registered >= value,
        "registeredTo": lambda value: registered != "" and registered <= value,
        "customerINN": lambda value: one.get("customerINN") == value,
        "q": lambda value: has_name(value, one.name),
    }
    regions = ["77" if value == "97" else value for value in query.some("region")]
    return ((not laws or one.get("federalLaw") in laws)
            and (not regions or region(one.get("customerINN")) in regions)
            and all(test(query.get(name)) for name, test in holds.items() if query.get(name)))


def missing_last(value, descending):
    """Returns a sort key that puts missing values last, in ascending and in descending order."""
    if value in (None, ""):
        return (1, Reversed(Decimal(0)) if descending else 0)
    return (0, Reversed(value) if descending else value)


class Reversed:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return other.value < self.value

    def __eq__(self, other):
        return self.value == other.value


def ordered(contracts, sort):
    """Sorts contracts. Ties are sorted by signing date and number, in the same direction."""
    descending = sort.startswith("-")
    key = {"signDate": lambda one: one.get("signDate"), "updateDate": lambda one: one.get("updateDate"),
           "contractPrice": lambda one: one.price}[sort.lstrip("-")]
    found = sorted(contracts, key=lambda one: (one.get("regNum"), one.inn), reverse=descending)
    found.sort(key=lambda one: missing_last(one.get("signDate"), descending))
    found.sort(key=lambda one: missing_last(key(one), descending))
    return found


def once(contracts):
    """Removes repeated contracts, because a contract with several suppliers has several records."""
    seen = {}
    for one in contracts:
        seen.setdefault(one.get("regNum"), one)
    return list(seen.values())


def total(contracts):
    return sum((one.price for one in contracts if one.price is not None), Decimal(0))


def parties(contracts, of):
    """Groups contracts by the INN of a party; contracts without one are left out."""
    found = defaultdict(list)
    for one in contracts:
        inn, name = of(one)
        if inn:
            found[inn].append((one, name))
    return found


def largest(found, whole, top):
    rows = []
    for inn, some in found.items():
        of_it = total(one for one, _ in some)
        rows.append({
            "inn": inn, "name": next((name for _, name in some if name), None), "count": len(some), "sum": of_it, "share": share(of_it, whole),
        })
    rows.sort(key=lambda row: (-row["sum"], -row["count"], row["inn"]))
    return rows[:top]


def priced(one, item):
    """Returns an item as in responses of /contract/prices."""
    return {
        "regNum": one.get("regNum"), "signDate": one.get("signDate") or None,
        "stage": one.get("contractStage") or None,
        "supplierINN": one.inn or None, "supplierName": one.name or None,
        "customerInn": one.get("customerInn") or None, "customerName": one.get("customerName") or None,
        "name": item.name or None, "code": item.code or None, "okei": item.okei or None,
        "okeiName": item.okei_name or None, "quantity": item.quantity, "price": item.price,
        "sum": item.sum,
    }


def page(query, name, rows):
    skip = int(query.get("skip") or 0)
    limit = min(int(query.get("limit") or 100), 200)
    return {"totalcount": len(rows), "skip": skip, "limit": limit, name: rows[skip:skip + limit]}
