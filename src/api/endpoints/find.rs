//! `/find`: suppliers by a part of their name, and whatever has a number by that number.

use super::super::error::Failure;
use super::super::request::parameter::Parameters;
use super::super::response::Finding;
use super::rnp;
use crate::model::{
    Date, Ground, Hit, HitKind, Inn, Purchase, PurchaseNumber, Regime, name_part, searched_name,
};
use crate::render::{self, Body, FindAnswer};
use crate::store::{Database, KnownSupplier, NameMatches};

/// From how many characters on a text is searched for in names (the manual, API, "Finding").
const MIN_NAME: usize = 3;

/// Appends what is found.
pub fn write(
    parameters: &Parameters<'_>,
    day: Date,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let query = parameters.query()?;
    let limit = usize::try_from(parameters.limit).unwrap_or(usize::MAX);
    let ground = rnp::ground(parameters, day, snapshot);
    let (total, hits) = hits(query, limit, &ground, snapshot)?;
    let answer = FindAnswer {
        query,
        total,
        hits: &hits,
        from: &rnp::answered_from(snapshot, ground),
    };
    render::answer(out, &answer).map_err(Failure::Server)?;
    Ok(Finding::Count(total))
}

/// How many hits there are of a text, and the first of them, the best one first.
fn hits(
    query: &str,
    limit: usize,
    ground: &Ground,
    snapshot: &Database,
) -> Result<(u64, Vec<Hit>), Failure> {
    let search = Search { snapshot, ground };
    let mut hits = Vec::new();
    let supplier = search.supplier(query)?;
    if let Some(supplier) = &supplier {
        hits.push(search.supplier_hit(supplier)?);
    }
    hits.extend(search.contracts(query)?);
    hits.extend(search.purchase(query)?);
    hits.extend(search.entry(query)?);
    // One more, as that of the INN may be among them.
    let text = name_part(query, MIN_NAME);
    let named = search.names(&text, limit + 1)?;
    let is_twice = |one: &KnownSupplier| searched_name(&one.name).contains(&text);
    let twice = u64::from(supplier.as_ref().is_some_and(is_twice));
    let total = hits.len() as u64 + named.count - twice;
    for one in &named.suppliers {
        if hits.len() < limit && supplier.as_ref() != Some(one) {
            hits.push(search.supplier_hit(one)?);
        }
    }
    hits.truncate(limit);
    Ok((total, hits))
}

/// The data that is searched, and the ground of verdicts.
struct Search<'a> {
    snapshot: &'a Database,
    ground: &'a Ground,
}

impl Search<'_> {
    /// The known supplier with this INN.
    fn supplier(&self, text: &str) -> Result<Option<KnownSupplier>, Failure> {
        let Some(inn) = Inn::parse(text) else {
            return Ok(None);
        };
        let Some(supplier) = self.snapshot.supplier(&inn)? else {
            return Ok(None);
        };
        let is_known = supplier.is_known(&self.snapshot.rnp_entries(&inn)?);
        Ok(is_known.then_some(supplier))
    }

    /// The suppliers whose names have this text in them, which is as [`name_part`] makes it.
    fn names(&self, text: &str, limit: usize) -> Result<NameMatches, Failure> {
        match text.chars().nth(MIN_NAME - 1) {
            None => Ok(NameMatches::default()),
            Some(_) => Ok(self.snapshot.find_names(text, limit)?),
        }
    }

    fn supplier_hit(&self, supplier: &KnownSupplier) -> Result<Hit, Failure> {
        let inn = supplier.inn.as_str();
        let check = rnp::check_supplier(self.snapshot, self.ground, inn)?;
        Ok(Hit {
            kind: HitKind::Supplier,
            key: inn.to_owned(),
            name: supplier.name.clone(),
            supplier_inn: inn.to_owned(),
            contracts: Some(supplier.contracts),
            verdict: Some(check.verdict),
        })
    }

    /// The contract with this registry number, once for each of its suppliers.
    fn contracts(&self, number: &str) -> Result<Vec<Hit>, Failure> {
        let suppliers = self.snapshot.suppliers_of_contract(number)?;
        let hit = |supplier: KnownSupplier| Hit {
            kind: HitKind::Contract,
            key: number.to_owned(),
            name: supplier.name,
            supplier_inn: supplier.inn.as_str().to_owned(),
            contracts: None,
            verdict: None,
        };
        Ok(suppliers.into_iter().map(hit).collect())
    }

    fn purchase(&self, number: &str) -> Result<Option<Hit>, Failure> {
        let Some(number) = PurchaseNumber::parse(number) else {
            return Ok(None);
        };
        let kind = match number.regime() {
            Regime::Fz44 => HitKind::Purchase44,
            Regime::Fz223 => HitKind::Purchase223,
            Regime::Pp615 => HitKind::Purchase615,
        };
        let purchase = self.snapshot.purchase(&number)?;
        Ok(purchase.map(|purchase| Hit {
            kind,
            key: number.to_string(),
            name: match purchase {
                Purchase::Fz44(card) => card.object_info,
                Purchase::Fz223(card) => card.object_info,
                Purchase::Pp615(card) => card.object_info,
            },
            supplier_inn: String::new(),
            contracts: None,
            verdict: None,
        }))
    }

    fn entry(&self, number: &str) -> Result<Option<Hit>, Failure> {
        let Some((supplier, entry)) = self.snapshot.rnp_entry(number)? else {
            return Ok(None);
        };
        let inn = supplier.inn.as_str();
        let check = rnp::check_supplier(self.snapshot, self.ground, inn)?;
        Ok(Some(Hit {
            kind: HitKind::RnpEntry,
            key: entry.registration_number,
            supplier_inn: inn.to_owned(),
            name: supplier.name,
            contracts: None,
            verdict: Some(check.verdict),
        }))
    }
}
