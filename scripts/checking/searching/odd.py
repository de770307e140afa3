"""Generates contracts, purchases and RNP entries full of edge cases: ties, several suppliers,
look-alike letters, missing values, extreme values."""

import json

WORDS = ["Поставка", "поставки", "бумага", "БУМАГОЙ", "A4", "А4", "формата", "CO2", "х-ray", "ёлка",
         "елкой", "е\u0308лки", "и\u0306од", "йода", "мoлоко", "молока", "SOS", "2-комнатная", "№5",
         "1/2", "м²", "шт.", "(шт)", "мыло", "мылом", "мыла", "OR", "NEAR", "not", "жидкое", "жидкого",
         "д/нужд", "ГБУЗ", "«ГКБ", "№", "7»", "белье", "бельём", "постельное", "постельным"]
CODES = ["17", "17.2", "17.23", "17.23.13", "17.23.13.130", "17.23.13.130-00000001", "17.231", "17.12.14",
         "20.41.31.130", "20.41", "13.92.12.114-00000003", "01.1", ""]
UNITS = [("796", "Штука"), ("778", "Упаковка"), ("778", "упак"), ("736", ""), ("", "рулон"), ("", "")]
PRICES = ["0", "0.01", "0.005", "1", "1.5", "2.345", "2.3450", "9.99", "100000", "1e3", "-5", None,
          "12345678901234567890.12", "33.333333333333333"]
SUPPLIERS = ["9600000001", "9600000018", "960000000002", "7700000015"]
CUSTOMERS = ["7700000001", "9700000002", "5000000003", "5000000003", "9600000101", "", "1"]
DAYS = ["2024-02-28", "2024-02-29", "2024-03-01", "2025-01-01", "2025-01-01", "2026-12-31", None]
# Spellings of a few names, so that each query finds several of them.
NAMES = [
    'ООО "Ёлка"', "Общество с ограниченной ответственностью «ЕЛКА-ЮГ»", "Ёлка Юг, О.О.О.", "АО Ел",
    "ИП Протокин Антон Олегович", "Протокин О. А.", "ПРОТОКИН А.О., ИП", "Протокин Олег Антонович",
    "Глава КФХ Протокин А. О. и О. А.", "ООО «Торговый дом \"Причал\"»", "ТД Причал, ООО", "Причал Торговый-дом",
    "О. О. О. Северный причал", "Северныйпричал", "ГБУЗ «ГКБ №7»", "ГБУЗ ГКБ N 7", "Городская клиническая больница N7",
    "АО «О'Нил»", "ОНил (ООО)", 'НИИ "Маяк"', "ФГБУ «Научно-исследовательский институт \"Маяк\"»",
    "ФГБОУ ВО Маяк", "ООО", "ООО ООО", "ООО «Бук»", "ОБЩЕСТВО С ОГРАНИЧЕНОЙ ОТВЕТСТВЕННОСТЬЮ \"CTPOЙKA 5\"",
    "Обшество с ограниченной ответсвенностю Стройка5", "Общество с ограниченной ответственностью",
    "Муниципальное казённое учреждение \"Средняя школа № 12 г.Юг\"", "МКУ СШ 12 г. Юг", "Спортивная школа 12",
    "Acme GmbH", "Аcме", "Акционерное общество закрытого типа Кедр", "ЗАО КЕДР-КЕДР", "строй-строй-строй",
    "СТРОЙСТРОЙ", "И\u0306од й-од", "A.B.C.", 'ООО "А.Б."', "12-34 / 56", "№ 1", "УК СК ГК", "Управляющая компания 1",
    "Строительная компания – страховая компания", "", "ИЧП ЧП Ч.П.", "ПО по НПО",
]


def text(random, least, most):
    return " ".join(random.choices(WORDS, k=random.randint(least, most)))


def item(random):
    okei, name = random.choice(UNITS)
    return {"name": text(random, 0, 4), "code": random.choice(CODES), "okei": okei, "okeiName": name,
            "quantity": random.choice(["1", "2.5", "1000", None]), "price": random.choice(PRICES),
            "sum": random.choice(PRICES)}


def contract(random, number):
    stage = random.choice(["E", "EC", "ET", "IN", None])
    return {
        "regNum": f"3{number:018}", "purchaseObjectInfo": text(random, 0, 6) or None,
        "customerInn": random.choice(CUSTOMERS),
        "customerName": random.choice([None, f"Заказчик {number % 5}"]),
        "contractPrice": random.choice(PRICES), "signDate": random.choice(DAYS),
        "updateDate": random.choice(DAYS), "endDate": random.choice(DAYS), "contractStage": stage,
        "subContractors": random.random() < 0.3,
        "penaltiesTotal": random.choice([None, "0", "0.01", "7"]),
        "products": [item(random) for _ in range(random.choice([0, 1, 1, 2, 5]))],
        **{flag: random.random() < 0.2 for flag in (
            "terminationBoth", "terminationSupplier", "terminationCostomer", "terminationJudge",
            "terminationCourt")},
        "bankGuaranteePayments": random.choice([None, [{"paymentAmountRUR": "1"}]]),
    }


def contracts(random, count):
    for number in range(count):
        suppliers = random.sample(SUPPLIERS, random.choice([1, 1, 1, 2, 3]))
        same = contract(random, number)
        for inn in suppliers:
            own = same if random.random() < 0.8 else {**contract(random, number)}
            yield {"type": "contract", "supplier": {"inn": inn, "name": f"Поставщик {inn[-2:]}"},
                   "contract": own}


def party(random):
    return {"inn": random.choice(CUSTOMERS), "fullName": random.choice(["", "Организация"])}


def dotted(random):
    day = random.choice(DAYS)
    return day and ".".join(reversed(day.split("-")))


def purchases(random, count):
    winner = lambda: random.choice([{}, {"inn": "9600000001", "name": "Победитель", "price": "5.5"}])
    for number in range(count):
        day, closes = dotted(random), dotted(random)
        common = {"docPublishDate": day, "purchaseObjectInfo": text(random, 0, 5),
                  "placingWay": "Электронный аукцион", "fullNMCK": random.choice(PRICES[:10]),
                  "responsibleOrg": party(random)}
        kind = random.choice(["purchase44", "purchase223", "purchase615"])
        lots = random.randint(0, 3)
        if kind == "purchase44":
            own = {"purchaseNumber": f"{10**18 + number:019}",
                   "procedureInfo": {"end": closes and random.choice([closes, f"{closes} 10:30"])},
                   "lots": {"lot": [{
                       "lotNumber": at + 1, "lotObjectInfo": text(random, 0, 3), "winner": winner(),
                       "customers": {"customer": [party(random)]},
                       "purchaseObjects": {"purchaseObject": [
                           {"name": text(random, 0, 3), "OKPD2": random.choice(CODES),
                            "KTRU": random.choice(CODES)} for _ in range(random.randint(0, 2))]},
                   } for at in range(lots)]}}
        elif kind == "purchase223":
            own = {"purchaseNumber": f"3{10**9 + number:010}", "submissionCloseDateTime": closes,
                   "mainCustomer": party(random), "winners": {"winner": [
                       one for one in (winner(), winner()) if one]},
                   "lots": {"lot": [{
                       "lotNumber": str(at + 1), "lotName": text(random, 0, 3),
                       "customers": {"customer": [{**party(random), "purchaseObjects": {"purchaseObject": [
                           {"okpd2": random.choice(CODES)} for _ in range(random.randint(0, 2))]}}]},
                   } for at in range(lots)]}}
        else:
            own = {"purchaseNumber": f"{10**17 + number:018}", "collectingEndDate": closes,
                   "winner": winner()}
        yield {"type": kind, "purchase": {**common, **own}}


def entries(random, count):
    for number in range(count):
        inn = random.choice(SUPPLIERS)
        yield {"type": "rnpEntry", "supplier": {"inn": inn, "name": f"Поставщик {inn[-2:]}"}, "entry": {
            "registrationNumber": f"РНП.{number}", "registrationDate": random.choice(DAYS),
            "excludeDate": random.choice([*DAYS, "2025-06-30"]), "reason": "CANCEL_CONTRACT",
            "federalLaw": random.choice(["44", "44", "223", "615"]),
            "customerINN": random.choice(CUSTOMERS), "customerName": "Заказчик"}}


def named_entries(random):
    """Yields one entry for each name; some of the suppliers have no INN."""
    for number, (name, entry) in enumerate(zip(NAMES, entries(random, len(NAMES)))):
        supplier = {"inn": f"96100{number:05}", "name": name}
        if name and random.random() < 0.2:
            supplier = {"withoutINN": True, "name": name}
        entry["entry"]["registrationNumber"] = f"РНП.имя-{number}"
        yield {**entry, "supplier": supplier}


def later_lines(random, suppliers):
    """Yields JSON Lines that leave every contract unchanged: entries that replace the first 12, and
    one entry for each INN in `suppliers`."""
    of_suppliers = [{**entry, "supplier": {"inn": inn, "name": ""}}
                    for inn, entry in zip(suppliers, entries(random, len(suppliers)))]
    for number, entry in enumerate([*entries(random, 12), *of_suppliers]):
        entry["entry"]["registrationNumber"] = f"РНП.{number}"
        yield json.dumps(entry, ensure_ascii=False)


def lines(random, count):
    """Yields JSON Lines: `count` contracts, half as many purchases, 12 RNP entries, and one entry
    for each of the names."""
    for made in (contracts(random, count), purchases(random, count // 2), entries(random, 12),
                 named_entries(random)):
        for line in made:
            yield json.dumps(line, ensure_ascii=False)
