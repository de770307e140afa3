//! `/find` finds suppliers and customers by name, and any record by its number. `/find/names` finds
//! suppliers for a list of names.

use super::super::error::Failure;
use super::super::request::groups::VerdictParameters;
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::rnp;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{
    ContractFilter, ContractOrder, Ground, Hit, HitKind, Inn, NameQuery, Purchase, PurchaseNumber,
    RnpEntry, Words, name_agreement,
};
use crate::render::schema::Answer;
use crate::render::{self, FindAnswer, FindNamesAnswer, NameHits, Root};
use crate::store::{Database, NameKinds, NameMatch, NameMatches, NameOwner, SupplierRow};

const BEST: u8 = 100;

/// Maximum number of suppliers returned for each name of a list.
const SUPPLIERS_PER_NAME: usize = 3;

pub(super) const FIND: Endpoint = Endpoint {
    path: "/find",
    id: "find",
    group: Group::Data,
    title: Words("Поиск по наименованию или номеру", "Find by name or number"),
    text: Words(
        "Поставщики и заказчики по словам наименования или ИНН; контракты, закупки и записи РНП по номеру; закупки по 223-ФЗ и ПП РФ № 615 — и по номеру договора. Регистр букв, знаки препинания и порядок слов не учитываются, ё и е не различаются, правовая форма поиск не сужает, по инициалам подбираются имя и отчество. Если так ничего не найдено, допускаются одна опечатка в слове, слитное написание слов, транслитерация, другая раскладка или лишнее слово.",
        "Finds suppliers and customers by words of their name or by INN, and contracts, purchases \
         and RNP entries by number. Purchases under 223-FZ and PP-615 are also found by the \
         number of their contract. Letter case, punctuation and the order of words do not matter, \
         'ё' equals 'е', and a legal form does not narrow the search. Initials match given name \
         and patronymic. If nothing is found this way, the search also allows one mistake per \
         word, joined words, transliteration, the other keyboard layout, or an extra word.",
    ),
    own_parameters: &[&[table::Q, table::HITS, table::LAWS]],
    read: |reader| Ok(Box::new(Find::read(reader)?)),
    errors: &[],
    has_statuses: true,
    answers: &[Answer::Find],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: true,
    file: "find",
    command: Some(LookupCommand::named("find")),
};

pub(super) const FIND_NAMES: Endpoint = Endpoint {
    path: "/find/names",
    id: "findNames",
    group: Group::Data,
    title: Words("Поиск по списку наименований", "Find a list of names"),
    text: Words(
        "Для списков без ИНН: до трёх самых похожих поставщиков по каждому наименованию, как в /find, с оценкой сходства. Для списков с ИНН (параметр supplierINN): насколько каждое наименование похоже на наименование поставщика с этим ИНН; 0 означает, что не похоже вовсе.",
        "Finds suppliers for a list of names: for each name, up to three suppliers with the most \
         similar names, with their scores as in /find. If you give INNs in supplierINN, the \
         scores say how similar each name is to the name of the supplier with that INN; 0 means \
         not at all.",
    ),
    own_parameters: &[&[table::NAMES, table::COMPARED_INNS, table::LAWS]],
    read: |reader| Ok(Box::new(FindNames::read(reader)?)),
    errors: &[],
    has_statuses: true,
    answers: &[Answer::FindNames],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: true,
    file: "find-names",
    command: Some(LookupCommand::named("names")),
};

struct Find<'q> {
    query: &'q str,
    limit: usize,
    verdict: VerdictParameters,
}

impl<'q> Find<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let query = reader.search_text(&table::Q)?;
        let limit = reader.limit(&table::HITS)?;
        Ok(Self {
            query,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            verdict: reader.verdict_parameters_of_today()?,
        })
    }
}

impl Question for Find<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let (query, limit, database) = (self.query, self.limit, lookup.database);
        let ground = lookup.ground(self.verdict);
        let search = FindQuery {
            database,
            ground: &ground,
        };
        let mut hits = search.numbers(query)?;
        let matches = search.names(query, NameKinds::AllBut(query), limit)?;
        let total = hits.len() as u64 + matches.count;
        for one in &matches.best {
            if hits.len() < limit {
                hits.push(search.name_hit(one)?);
            }
        }
        hits.truncate(limit);
        let answer = FindAnswer {
            query,
            total,
            hits: &hits,
            from: &rnp::response_origin(database, ground),
        };
        let body = lookup.write(buffer, |body| render::answer(body, &answer))?;
        Ok(Answered {
            ground: Some(ground),
            ..Answered::new(body, LookupResult::Count(total))
        })
    }
}

struct FindNames<'q> {
    names: Vec<&'q str>,
    /// If set, each name is compared only with the name of the supplier whose INN is at the same
    /// position.
    compared: Option<Vec<Inn>>,
    verdict: VerdictParameters,
}

impl<'q> FindNames<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        Ok(Self {
            names: reader.names()?,
            compared: reader.compared_suppliers()?,
            verdict: reader.verdict_parameters_of_today()?,
        })
    }
}

impl Question for FindNames<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let ground = lookup.ground(self.verdict);
        let search = FindQuery {
            database,
            ground: &ground,
        };
        let names = match &self.compared {
            None => self.found(&search)?,
            Some(inns) => self.compared(&search, inns)?,
        };
        let total = names.iter().map(|name| name.hits.len() as u64).sum();
        let answer = FindNamesAnswer {
            names: &names,
            from: &rnp::response_origin(database, ground),
        };
        let body = lookup.write(buffer, |body| render::answer(body, &answer))?;
        Ok(Answered {
            ground: Some(ground),
            ..Answered::new(body, LookupResult::Count(total))
        })
    }
}

impl<'q> FindNames<'q> {
    fn found(&self, search: &FindQuery<'_>) -> Result<Vec<NameHits<'q>>, Failure> {
        let hits_of = |query: &&'q str| {
            let matches = search.names(query, NameKinds::Suppliers, SUPPLIERS_PER_NAME)?;
            let hits = matches.best.iter().map(|one| search.name_hit(one));
            Ok(NameHits {
                query,
                hits: hits.collect::<Result<_, Failure>>()?,
            })
        };
        self.names.iter().map(hits_of).collect()
    }

    /// Compares each name with the name of the supplier whose INN is at the same position. A name
    /// has no hit if the supplier is unknown or the names cannot be compared.
    fn compared(&self, search: &FindQuery<'_>, inns: &[Inn]) -> Result<Vec<NameHits<'q>>, Failure> {
        if inns.len() != self.names.len() {
            return Err(Failure::bad_parameter(table::COMPARED_INNS.name));
        }
        let hits_of = |(query, inn): (&&'q str, &Inn)| {
            let supplier = rnp::look_up(search.database, inn)?.0;
            let scored = supplier.and_then(|supplier| {
                let score = name_agreement(query, supplier.name())?;
                Some((supplier, score))
            });
            let hit = scored.map(|(supplier, score)| search.supplier_hit(&supplier, score));
            Ok(NameHits {
                query,
                hits: hit.into_iter().collect::<Result<_, Failure>>()?,
            })
        };
        self.names.iter().zip(inns).map(hits_of).collect()
    }
}

struct FindQuery<'a> {
    database: &'a Database,
    ground: &'a Ground,
}

impl FindQuery<'_> {
    /// Every record that has this number, including the purchase that led to a contract with this
    /// number.
    fn numbers(&self, number: &str) -> Result<Vec<Hit>, Failure> {
        let mut hits = Vec::new();
        if let Some(supplier) = self.supplier(number)? {
            hits.push(self.supplier_hit(&supplier, BEST)?);
        }
        hits.extend(self.customer(number)?);
        hits.extend(self.contracts(number)?);
        hits.extend(self.purchase(number)?);
        for purchase in self.database.purchases_of_contract(number)? {
            hits.extend(self.purchase(&purchase)?);
        }
        hits.extend(self.entry(number)?);
        Ok(hits)
    }

    fn supplier(&self, text: &str) -> Result<Option<SupplierRow>, Failure> {
        match Inn::parse(text) {
            Some(inn) => Ok(rnp::look_up(self.database, &inn)?.0),
            None => Ok(None),
        }
    }

    /// A customer is known only by its contracts.
    fn customer(&self, text: &str) -> Result<Option<Hit>, Failure> {
        let order = ContractOrder::default();
        let filter = &ContractFilter::default();
        let contracts = self
            .database
            .select_of_customer(text, filter, order, 0, 0)?;
        let hit = || customer_hit(text, &contracts.name, contracts.count, BEST);
        Ok((contracts.count > 0).then(hit))
    }

    fn names(
        &self,
        text: &str,
        kinds: NameKinds<'_>,
        limit: usize,
    ) -> Result<NameMatches, Failure> {
        match NameQuery::new(text) {
            None => Ok(NameMatches::default()),
            Some(query) => Ok(self.database.find_names(&query, kinds, limit)?),
        }
    }

    fn name_hit(&self, found: &NameMatch) -> Result<Hit, Failure> {
        match &found.owner {
            NameOwner::Supplier(supplier) => self.supplier_hit(supplier, found.score),
            NameOwner::Customer {
                inn,
                name,
                contracts,
            } => Ok(customer_hit(inn, name, *contracts, found.score)),
            NameOwner::Entry(entry) => Ok(self.entry_hit(entry, found.score)),
        }
    }

    fn entry_hit(&self, entry: &RnpEntry, score: u8) -> Hit {
        Hit {
            verdict: Some(self.ground.verdict_without_inn(entry)),
            score,
            ..best_hit(
                HitKind::RnpEntry,
                &entry.registration_number,
                &entry.supplier_name,
            )
        }
    }

    fn supplier_hit(&self, supplier: &SupplierRow, score: u8) -> Result<Hit, Failure> {
        let inn = supplier.inn.as_str();
        let check = rnp::check_supplier(self.database, self.ground, inn)?;
        Ok(Hit {
            supplier_inn: inn.to_owned(),
            contracts: Some(supplier.contracts),
            verdict: Some(check.verdict),
            score,
            ..best_hit(HitKind::Supplier, inn, supplier.name())
        })
    }

    /// A contract with several suppliers has one hit for each.
    fn contracts(&self, number: &str) -> Result<Vec<Hit>, Failure> {
        let suppliers = self.database.suppliers_of_contract(number)?;
        let hit = |supplier: SupplierRow| Hit {
            supplier_inn: supplier.inn.as_str().to_owned(),
            ..best_hit(HitKind::Contract, number, supplier.name())
        };
        Ok(suppliers.into_iter().map(hit).collect())
    }

    fn purchase(&self, number: &str) -> Result<Option<Hit>, Failure> {
        let Some(number) = PurchaseNumber::parse(number) else {
            return Ok(None);
        };
        let purchase = self.database.purchase(&number)?;
        Ok(purchase.map(|purchase| {
            let (kind, name) = match &purchase {
                Purchase::Fz44(card) => (HitKind::Purchase44, &card.object_info),
                Purchase::Fz223(card) => (HitKind::Purchase223, &card.object_info),
                Purchase::Pp615(card) => (HitKind::Purchase615, &card.object_info),
            };
            best_hit(kind, number.as_str(), name)
        }))
    }

    fn entry(&self, number: &str) -> Result<Option<Hit>, Failure> {
        let Some((supplier, entry)) = self.database.rnp_entry(number)? else {
            return Ok(None);
        };
        if supplier.inn.is_none() {
            return Ok(Some(self.entry_hit(&entry, BEST)));
        }
        let inn = supplier.inn.as_str();
        let check = rnp::check_supplier(self.database, self.ground, inn)?;
        Ok(Some(Hit {
            supplier_inn: inn.to_owned(),
            verdict: Some(check.verdict),
            ..best_hit(
                HitKind::RnpEntry,
                &entry.registration_number,
                supplier.name(),
            )
        }))
    }
}

fn customer_hit(inn: &str, name: &str, contracts: u64, score: u8) -> Hit {
    Hit {
        contracts: Some(contracts),
        score,
        ..best_hit(HitKind::Customer, inn, name)
    }
}

/// The hit for an exact match. All other fields stay empty.
fn best_hit(kind: HitKind, key: &str, name: &str) -> Hit {
    Hit {
        kind,
        key: key.to_owned(),
        name: name.to_owned(),
        supplier_inn: String::new(),
        contracts: None,
        verdict: None,
        score: BEST,
    }
}
