//! What can be asked: the endpoints, and what each answers.

use super::words::Words;
use crate::api::endpoint::Endpoint;
use crate::render::schema::{AnswerSchema, answer};

/// An endpoint as it is described.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub endpoint: Endpoint,
    /// What a client's function for it is called.
    pub id: &'static str,
    pub group: Group,
    pub title: Words,
    pub text: Words,
    /// The answers that it gives, by their names.
    answers: &'static [&'static str],
}

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Contracts,
    Purchases,
    Rnp,
    Service,
}

impl Group {
    pub const ALL: [Self; 4] = [Self::Contracts, Self::Purchases, Self::Rnp, Self::Service];

    /// Its name, also in a client.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contracts => "contracts",
            Self::Purchases => "purchases",
            Self::Rnp => "rnp",
            Self::Service => "service",
        }
    }

    pub fn title(self) -> Words {
        match self {
            Self::Contracts => Words(
                "Контракты поставщика по 44-ФЗ",
                "Contracts of a supplier under 44-FZ",
            ),
            Self::Purchases => Words("Карточки закупок", "Cards of purchases"),
            Self::Rnp => Words(
                "Реестр недобросовестных поставщиков (РНП)",
                "The registry of unfair suppliers (RNP)",
            ),
            Self::Service => Words(
                "О сервисе; ключ не нужен",
                "About the service; no key is needed",
            ),
        }
    }
}

impl Operation {
    /// All of them, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = Self> {
        Endpoint::ALL.into_iter().map(Self::of)
    }

    /// That of an endpoint.
    pub fn of(endpoint: Endpoint) -> Self {
        match endpoint {
            Endpoint::Contracts => CONTRACTS,
            Endpoint::ContractSummary => CONTRACT_SUMMARY,
            Endpoint::Purchase44 => PURCHASE44,
            Endpoint::Purchase223 => PURCHASE223,
            Endpoint::Purchase615 => PURCHASE615,
            Endpoint::RnpCheck => RNP_CHECK,
            Endpoint::RnpCheckMany => RNP_CHECK_MANY,
        }
    }

    /// The answers that it gives.
    pub fn answers(&self) -> impl Iterator<Item = &'static AnswerSchema> {
        self.answers.iter().filter_map(|name| answer(name))
    }
}

const CONTRACTS: Operation = Operation {
    endpoint: Endpoint::Contracts,
    id: "getContracts",
    group: Group::Contracts,
    title: Words("Контракты поставщика", "Contracts of a supplier"),
    text: Words(
        "Страница контрактов поставщика, сначала новые. Дальше листают с помощью skip. У поставщика, о котором ничего не известно, контрактов ноль.",
        "A page of a supplier's contracts, newest first. Go on with skip. A supplier of whom nothing is known has none.",
    ),
    answers: &["ContractPage"],
};

const CONTRACT_SUMMARY: Operation = Operation {
    endpoint: Endpoint::ContractSummary,
    id: "getContractSummary",
    group: Group::Contracts,
    title: Words(
        "Сводка по контрактам поставщика",
        "Summary of a supplier's contracts",
    ),
    text: Words(
        "Сколько контрактов и на какую сумму: всего, по годам, по состояниям, у крупнейших заказчиков. Отбор — как у списка контрактов.",
        "How many contracts, and what they come to: in all, by year, by status, with the largest customers. Filters as for the contracts.",
    ),
    answers: &["ContractSummary"],
};

const PURCHASE44: Operation = Operation {
    endpoint: Endpoint::Purchase44,
    id: "getPurchase44",
    group: Group::Purchases,
    title: Words("Закупка по 44-ФЗ", "A purchase under 44-FZ"),
    text: Words(
        "Карточка закупки. Состав полей в XML и JSON разный.",
        "The card of a purchase. XML and JSON have different fields.",
    ),
    answers: &["Purchase44"],
};

const PURCHASE223: Operation = Operation {
    endpoint: Endpoint::Purchase223,
    id: "getPurchase223",
    group: Group::Purchases,
    title: Words(
        "Закупка по 223-ФЗ или ПП РФ № 615",
        "A purchase under 223-FZ or PP-615",
    ),
    text: Words(
        "Карточка закупки; её вид определяет длина номера.",
        "The card of a purchase; the length of its number tells which.",
    ),
    answers: &["Purchase223", "Purchase615"],
};

const PURCHASE615: Operation = Operation {
    endpoint: Endpoint::Purchase615,
    id: "getPurchase615",
    group: Group::Purchases,
    title: Words("Закупка по ПП РФ № 615", "A purchase under PP-615"),
    text: Words(
        "Карточка закупки на капитальный ремонт.",
        "The card of a purchase of capital repairs.",
    ),
    answers: &["Purchase615"],
};

const RNP_CHECK: Operation = Operation {
    endpoint: Endpoint::RnpCheck,
    id: "checkSupplier",
    group: Group::Rnp,
    title: Words("Есть ли поставщик в РНП?", "Is a supplier in the RNP?"),
    text: Words(
        "Действующие записи реестра о поставщике. Запись действует с даты включения по дату исключения включительно, по московскому времени. Загружен ли реестр полностью, говорит заголовок X-Registries.",
        "The entries about a supplier that are listed. An entry is listed from its day of inclusion to its day of exclusion, both included, by Moscow's calendar. The header X-Registries says whether the registry has been imported in full.",
    ),
    answers: &["RnpCheck"],
};

const RNP_CHECK_MANY: Operation = Operation {
    endpoint: Endpoint::RnpCheckMany,
    id: "checkSuppliers",
    group: Group::Rnp,
    title: Words(
        "Есть ли в РНП поставщики из списка?",
        "Are suppliers in the RNP?",
    ),
    text: Words(
        "То же о нескольких поставщиках сразу, с заключением в одно слово о каждом и сведениями о том, загружен ли реестр полностью. HTTP 200 при любых заключениях.",
        "The same of several suppliers at once, with a verdict of one word for each, and with what there is of the registry. HTTP 200 whatever the verdicts.",
    ),
    answers: &["RnpCheckSuppliers"],
};
