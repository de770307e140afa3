//! Addresses of pages on the EIS website.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{PurchaseNumber, Regime};

const EIS: &str = "https://zakupki.gov.ru";

/// Parts of document names that reveal the procedure of a purchase under 44-FZ, each with the
/// folder that contains the procedure's pages. Taken from the `href` of documents.
const FOLDERS: [(&str, &str); 6] = [
    ("EF2020", "ea20"),
    ("EOK2020", "ok20"),
    ("EZK2020", "zk20"),
    ("EZT2020", "ezt20"),
    ("epNotificationEZK", "zk504"),
    ("fcsNotificationEF", "ea44"),
];

/// Returns the address of a 44-FZ contract's page, or `None` unless the number has 19 digits.
pub fn contract_page(number: &str) -> Option<String> {
    let is_number = number.len() == 19 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        .then(|| format!("{EIS}/epz/contract/contractCard/common-info.html?reestrNumber={number}"))
}

/// Returns the address of a purchase's page, or `None` if `number` is not a purchase number. Under
/// 44-FZ, the address depends on the procedure, which the names of `documents` may reveal. If they
/// do not, returns the address of the printed form, which is the same for every procedure.
pub fn purchase_page<'a>(
    number: &str,
    mut documents: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let number = PurchaseNumber::parse(number)?;
    let path = match number.regime() {
        Regime::Fz44 => match documents.find_map(folder) {
            Some(folder) => &format!("/epz/order/notice/{folder}/view/common-info.html"),
            None => "/epz/order/notice/printForm/view.html",
        },
        Regime::Fz223 => "/223/purchase/public/purchase/info/common-info.html",
        Regime::Pp615 => "/epz/order/notice/ea615/view/common-info.html",
    };
    Some(format!("{EIS}{path}?regNumber={number}"))
}

fn folder(document: &str) -> Option<&'static str> {
    let mut folders = FOLDERS.iter();
    let (_, folder) = folders.find(|(part, _)| document.contains(part))?;
    Some(folder)
}

/// Returns the address of a search in the registry of unfair suppliers for an entry number or INN,
/// or `None` if `text` is empty.
pub fn rnp_search(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| {
        let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
        format!("{EIS}/epz/dishonestsupplier/search/results.html?searchString={text}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_has_its_card() {
        assert_eq!(
            contract_page("1770989550925003831").as_deref(),
            Some(
                "https://zakupki.gov.ru/epz/contract/contractCard/common-info.html?reestrNumber=1770989550925003831"
            )
        );
        assert_eq!(contract_page("177098955092500383"), None);
        assert_eq!(contract_page("177098955092500383a"), None);
    }

    #[test]
    fn a_purchase_has_the_page_of_its_notice() {
        for (number, document, expected) in [
            (
                "0348200027026000464",
                "epNotificationEZT2020",
                "/epz/order/notice/ezt20/view/common-info.html?regNumber=0348200027026000464",
            ),
            (
                "0195100001026000026",
                "epProtocolEOK2020Final",
                "/epz/order/notice/ok20/view/common-info.html?regNumber=0195100001026000026",
            ),
            (
                "0373100086925000592",
                "epNotificationEF2020",
                "/epz/order/notice/ea20/view/common-info.html?regNumber=0373100086925000592",
            ),
            (
                "0320100007621000014",
                "epNotificationEZK",
                "/epz/order/notice/zk504/view/common-info.html?regNumber=0320100007621000014",
            ),
            (
                "0373400007725001260",
                "epNotificationEZK2020",
                "/epz/order/notice/zk20/view/common-info.html?regNumber=0373400007725001260",
            ),
            (
                "0320100007621000014",
                "fcsNotificationOrgChange",
                "/epz/order/notice/printForm/view.html?regNumber=0320100007621000014",
            ),
            (
                "31907615000",
                "purchaseNotice",
                "/223/purchase/public/purchase/info/common-info.html?regNumber=31907615000",
            ),
            (
                "027300000012001473",
                "pprf615NotificationEF",
                "/epz/order/notice/ea615/view/common-info.html?regNumber=027300000012001473",
            ),
        ] {
            let names = ["epNotificationCancel", document].into_iter();
            let page = purchase_page(number, names).unwrap_or_default();
            assert_eq!(page.strip_prefix(EIS), Some(expected), "{document}");
        }
        assert_eq!(purchase_page("12", ["purchaseNotice"].into_iter()), None);
    }

    #[test]
    fn the_lookup_page_links_to_the_same_addresses() {
        let script = include_str!("../web/routes.js");
        for number in ["0373400007725001260", "31907615000", "027300000012001473"] {
            let page = purchase_page(number, std::iter::empty()).expect("a number");
            let path = page
                .strip_prefix(EIS)
                .and_then(|path| path.strip_suffix(number));
            let path = path
                .expect("it ends with the number")
                .trim_start_matches('/');
            assert!(script.contains(&format!("\"{path}\"")), "{path}");
        }
        let search = rnp_search("1").expect("a text");
        let search = search.trim_end_matches('1');
        assert!(script.contains(&format!("`{search}${{inn}}`")), "{search}");
    }

    #[test]
    fn an_entry_has_a_search_page() {
        assert_eq!(
            rnp_search("РНП 1&2").as_deref(),
            Some(
                "https://zakupki.gov.ru/epz/dishonestsupplier/search/results.html?searchString=%D0%A0%D0%9D%D0%9F%201%262"
            )
        );
        assert_eq!(rnp_search(""), None);
    }
}
