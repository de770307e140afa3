"""Generates random names of suppliers: firms, institutions and individuals. No two names consist of
the same words."""

SURNAMES = [root + end for root in """
    Берегов Ветлугин Вязников Гранитн Дубравин Ершовник Журавин Заречин Ивняков Камышин
    Ключников Колодезев Кремнев Лопухин Луговск Малинник Мостовик Облаков Овражник Осинник
    Парусник Перелеск Плотинник Полозов Пристанев Протокин Радужник Ракитник Ручейник Рябинник
    Санник Сосновик Сухушин Тальник Теремник Топольник Туманник Тычинник Утесник Хвощин
    Цаплинник Черемшин Шалашник Шиповник Щуровник Ягодник Якорник Яхонтник""".split()
    for end in ("ов", "енко", "ский", "юк")]
MEN = """Антон Артём Борис Вадим Василий Виктор Глеб Григорий Денис Егор Захар Иван Игорь Кирилл
    Лев Макар Михаил Назар Олег Павел Пётр Роман Савва Семён Тимур Фёдор Юрий Яков""".split()
PATRONYMICS = """Антонович Артёмович Борисович Вадимович Васильевич Викторович Глебович
    Григорьевич Денисович Егорович Захарович Иванович Игоревич Кириллович Львович Макарович
    Михайлович Назарович Олегович Павлович Петрович Романович Саввич Семёнович Тимурович
    Фёдорович Юрьевич Яковлевич""".split()
ADJECTIVES = """Белый Большой Быстрый Верхний Вечерний Высокий Главный Голубой Городской Дальний
    Длинный Железный Жёлтый Зелёный Зимний Каменный Красный Крепкий Круглый Лесной Летний Лунный
    Медный Морской Мощный Надёжный Новый Озёрный Осенний Острый Первый Полярный Речной Ровный
    Свежий Северный Серебряный Синий Снежный Степной Тёплый Тихий Утренний Чистый Широкий
    Южный Янтарный Ясный""".split()
NOUNS = """Аист Атлант Балтик Барьер Берег Бобёр Бриз Вектор Ветер Вулкан Гарант Гранит Дельфин
    Диалог Дозор Журавль Завет Залив Замок Зенит Изумруд Импульс Исток Караван Каскад Квадрат
    Квант Кедр Ковчег Колос Компас Контур Корвет Корунд Кристалл Лабиринт Ландыш Лотос Магнит
    Маяк Меридиан Минарет Монолит Мост Народ Океан Орион Остров Парус Пеликан Перевал Платан
    Поток Прибой Причал Простор Путник Рассвет Родник Рубеж Рубин Самоцвет Сапфир Скат Сокол
    Спутник Странник Стрелец Терем Титан Тополь Тюльпан Фаворит Факел Форпост Фрегат Хорал
    Циркон Чертог Шторм Экватор Эталон Юбиляр Якорь Ястреб""".split()
SYLLABLES = """ба бе бор вал вер га гра дар до жи за ири кар кла ко ла ле лор ма ми мон на
    не нор о па пе про ра ри рум са се сти та ти тор ул фе фло хо це чи ша эл юн""".split()
CODAS = "к л м н р с т вик дис лан макс мир нат рон тек тон фор".split()
BEGINNINGS = """Авто Агро Альта Аква Био Гидро Глав Дор Евро Жил Инвест Интер Квадро Лес Мега
    Мед Металл Пром Проф Рем Сиб Спец Строй Тех Техно Транс Универсал Фарм Хим Эко Электро
    Энерго""".split()
ENDINGS = """альянс база бетон газ гарант двор дизайн импорт кабель комплекс контракт кров
    лифт маркет механика мир монтаж обувь оптика парк поставка прибор проект радар резерв ресурс
    сервис система снаб союз стандарт стекло тара текстиль топливо торг фильтр форма хлеб центр
    щит ярмарка""".split()
TOWNS = """Верхнеозёрск Дубравинск Заречинск Камнегорск Кедровск Лугоград Мостогорск Новопричальск
    Озерецк Песчаногорск Полесск Ракитинск Рудногорск Светлореченск Сосногорье Степногорье
    Туманногорск Усть-Лесное Хвойный Яхонтовск""".split()
FIRM_FORMS = [("ООО", "Общество с ограниченной ответственностью")] * 8 + [
    ("АО", "Акционерное общество"), ("ЗАО", "Закрытое акционерное общество")]
INSTITUTIONS = [
    ("МБОУ", "Муниципальное бюджетное общеобразовательное учреждение"),
    ("МАУ ДО", "Муниципальное автономное учреждение дополнительного образования"),
    ("ГБУЗ", "Государственное бюджетное учреждение здравоохранения"),
    ("ФГБОУ ВО", "Федеральное государственное бюджетное образовательное учреждение высшего образования"),
    ("АНО ДПО", "Автономная некоммерческая организация дополнительного профессионального образования"),
    ("СНТ", "Садоводческое некоммерческое товарищество"),
]


class Name:
    """A supplier's name: `kind` ("firm", "institution" or "person"), the words without the legal
    form, and the legal form, both abbreviated and in full."""

    def __init__(self, kind, words, form):
        self.kind, self.words, (self.form, self.full_form) = kind, words, form

    @property
    def full(self):
        """Returns the official spelling, as in documents of EIS."""
        if self.kind == "person":
            return self.words
        return f'{self.full_form} "{self.words}"'.upper()


def draw(random, count, others=()):
    """Returns `count` names. No word occurs in two of them, or in any of `others`."""
    names, seen = [], {key for name in others for key in comparison_keys(name.words)}
    while len(names) < count:
        name = draw_one(random)
        if not seen.intersection(comparison_keys(name.words)):
            seen.update(comparison_keys(name.words))
            names.append(name)
    return names


def comparison_keys(words):
    """Returns two keys for comparing names: one ignores spaces, the other the order of words. Both
    ignore case, hyphens, ё, № and и."""
    words = words.lower().replace("ё", "е").replace("-", " ").split()
    words = [word for word in words if word not in ("№", "и")]
    return ["".join(words), " ".join(sorted(words))]


def coined(random):
    """Returns a made-up word of the kind that firms use as names or, one time in five, a real noun.
    """
    if random.randrange(5) == 0:
        return random.choice(NOUNS)
    syllables = [random.choice(SYLLABLES) for _ in range(random.choice([2, 2, 3]))]
    return ("".join(syllables) + random.choice(CODAS)).capitalize()


def draw_one(random):
    pick = random.choice
    kind = random.randrange(100)
    if kind < 25:
        words = f"{pick(SURNAMES)} {pick(MEN)} {pick(PATRONYMICS)}"
        return Name("person", words, ("ИП", "Индивидуальный предприниматель"))
    if kind < 40:
        words = pick([
            lambda: f"{pick(ADJECTIVES)} {coined(random).lower()} № {random.randint(2, 90)}",
            lambda: f"Школа № {random.randint(2, 300)} города {pick(TOWNS)}",
            lambda: f"Центр {pick(BEGINNINGS)}{pick(ENDINGS)} {pick(TOWNS)}",
        ])()
        return Name("institution", words, pick(INSTITUTIONS))
    words = pick([
        lambda: f"{pick(BEGINNINGS)}{pick(ENDINGS)}",
        lambda: f"{pick(BEGINNINGS)}{pick(BEGINNINGS).lower()}{pick(ENDINGS)}",
        lambda: f"{pick(ADJECTIVES)} {coined(random).lower()}",
        lambda: f"{pick(ADJECTIVES)} {coined(random).lower()}",
        lambda: f"{pick(ADJECTIVES)} {pick(ADJECTIVES).lower()} {coined(random).lower()}",
        lambda: f"{coined(random)}-{coined(random)}",
        lambda: f"{coined(random)} и {coined(random)}",
        lambda: f"{coined(random)}-{random.randint(2, 99)}",
    ])()
    return Name("firm", words, pick(FIRM_FORMS))
