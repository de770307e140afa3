//! The requests that golden files record.

/// Successful requests in both formats: the name of the case, and the target.
const ANSWERS: &str = "
contracts/none /contract/monitor-supplier44?supplierINN=9600000001
contracts/all-filled /contract/monitor-supplier44?supplierINN=9600000002
contracts/all-empty /contract/monitor-supplier44?supplierINN=9600000003
contracts/several /contract/monitor-supplier44?supplierINN=960000000400
contracts/second-page /contract/monitor-supplier44?supplierINN=960000000400&skip=1&limit=2
contracts/no-page /contract/monitor-supplier44?supplierINN=960000000400&limit=0
contracts/past-the-end /contract/monitor-supplier44?supplierINN=960000000400&skip=99999999999999999999999999&limit=200
contracts/amounts /contract/monitor-supplier44?supplierINN=9600000005
contracts/nasty-text /contract/monitor-supplier44?supplierINN=9600000006
contracts/flags /contract/monitor-supplier44?supplierINN=9600000007
contracts/unknown-supplier /contract/monitor-supplier44?supplierINN=9600000999
contracts/filtered /contract/monitor-supplier44?supplierINN=960000000400&stage=E,IN&signedFrom=2025-01-01&signedTo=2025-02-01&updatedFrom=2025-01-31&customerInn=9600000101
contracts/filtered-to-none /contract/monitor-supplier44?supplierINN=960000000400&stage=EC
contracts/sorted /contract/monitor-supplier44?supplierINN=9600000005&sort=contractPrice
summary/none /contract/summary-supplier44?supplierINN=9600000001
summary/all-filled /contract/summary-supplier44?supplierINN=9600000002
summary/all-empty /contract/summary-supplier44?supplierINN=9600000003
summary/several /contract/summary-supplier44?supplierINN=960000000400
summary/filtered /contract/summary-supplier44?supplierINN=960000000400&stage=E,IN&signedFrom=2025-02-01
summary/amounts /contract/summary-supplier44?supplierINN=9600000005
summary/nasty-text /contract/summary-supplier44?supplierINN=9600000006
summary/unknown-supplier /contract/summary-supplier44?supplierINN=9600000999
won/none /purchase/won-by-supplier?supplierINN=9600000999
won/one /purchase/won-by-supplier?supplierINN=9600000261
purchase-search/none /purchase/search?q=%D0%BE%D0%B3%D1%83%D1%80%D1%86%D1%8B
purchase-search/words /purchase/search?q=%D0%9F%D0%9E%D0%A1%D0%A2%D0%90%D0%92%D0%9A%D0%98%20%D0%BB%D0%B5%D0%BA%D0%B0%D1%80%D1%81%D1%82%D0%B2%D0%B0&limit=3
purchase-search/codes /purchase/search?code=17.23,17.5&sort=published&limit=2
purchase-search/sorted /purchase/search?region=96&law=223,615&sort=-price&skip=1&limit=2
purchase-search/ended /purchase/search?customerINN=9600000161&open=false&publishedFrom=2024-01-01&priceTo=5000000&sort=closes
purchase-search/nasty-text /purchase/search?q=amp+data
customer/none /contract/monitor-customer44?customerINN=9600000999
customer/several /contract/monitor-customer44?customerINN=9600000101
customer/filtered /contract/monitor-customer44?customerInn=9600000101&stage=E&sort=contractPrice&limit=1
by-number/all-filled /contract/by-number?regNum=3960000000225000001
by-number/all-empty /contract/by-number?regNum=3960000000325000001
by-number/nasty-text /contract/by-number?regNum=3960000000625000001
search/none /contract/search?q=%D1%89%D1%89
search/region /contract/search?region=96&stage=EC
search/words /contract/search?q=%D0%BA%D0%B0%D0%BD%D1%86%D0%B5%D0%BB%D1%8F%D1%80%D1%81%D0%BA%D0%B8%D0%B9%20%D1%82%D0%BE%D0%B2%D0%B0%D1%80
search/facts /contract/search?fact=guaranteeClaims,overdue&sort=contractPrice&limit=2
search/no-page /contract/search?customerInn=9600000101&limit=0
content-summary/none /contract/summary?q=%D1%89%D1%89
content-summary/all-filled /contract/summary?supplierINN=9600000002
content-summary/several /contract/summary?customerInn=9600000101&top=1
content-summary/facts /contract/summary?fact=signedWhileListed,terminatedByCourt&laws=44
prices/none /contract/prices?q=%D1%89%D1%89
prices/words /contract/prices?q=%D0%B1%D1%83%D0%BC%D0%B0%D0%B3%D0%B0
prices/code /contract/prices?code=01.11,17.23&limit=2
find/none /find?q=%D1%89%D1%89%D1%89
find/names /find?q=%D0%BA%D0%BE%D0%BD%D1%82%D1%80%D0%B0%D0%BA%D1%82
find/number /find?q=9600000002
find/contract /find?q=3960000000225000001
find/card /find?q=0960000000025000001
find/entry /find?q=%D0%A0%D0%9D%D0%9F.960100-24
find-names/several /find/names?q=%D0%BA%D0%BE%D0%BD%D1%82%D1%80%D0%B0%D0%BA%D1%82%0A%D1%89%D1%89%D1%89
rnp/none /rnp/check-supplier?supplierINN=9600000001
rnp/none-known-by-a-contract /rnp/check-supplier?supplierINN=960000000400
rnp/all-filled /rnp/check-supplier?supplierINN=9600000021
rnp/several /rnp/check-supplier?supplierINN=9600000022
rnp/past /rnp/check-supplier?supplierINN=9600000023
rnp/future /rnp/check-supplier?supplierINN=9600000024
rnp/all-empty /rnp/check-supplier?supplierINN=9600000025
rnp/nasty-text /rnp/check-supplier?supplierINN=9600000026
rnp/as-of-a-day-of-the-past /rnp/check-supplier?supplierINN=9600000023&asOf=2024-06-01
rnp-many/each-verdict /rnp/check-suppliers?supplierINN=9600000021,9600000023,9600000024,9600000999,%209600000001%20,,7707083893,96x,9600000021
rnp-many/history /rnp/check-suppliers?supplierINN=9600000022,9600000023,9600000026,9600000001&history=1
rnp-many/as-of-a-day-of-the-past /rnp/check-suppliers?supplierINN=9600000022,9600000023&asOf=2024-06-01&history=1
rnp-many/long-after-the-last-whole-registry /rnp/check-suppliers?supplierINN=9600000021,9600000001&asOf=2025-08-01
rnp-entries/none /rnp/entries?region=01
rnp-entries/in-force /rnp/entries?inForce=true&registeredFrom=2020-01-01
rnp-entries/not-in-force /rnp/entries?inForce=false&registeredFrom=2020-01-01&registeredTo=2025-06-30&asOf=2024-06-01&laws=44
rnp-entries/by-name /rnp/entries?q=%D0%BC%D0%BD%D0%BE%D0%B3%D0%BE%20%D0%B7%D0%B0%D0%BF%D0%B8%D1%81%D0%B5%D0%B9&skip=1&limit=2
rnp-entries/nasty-text /rnp/entries?registeredFrom=2025-01-01&registeredTo=2025-01-01
rnp-entries/all-empty /rnp/entries?skip=11&limit=1
rnp-entries/no-page /rnp/entries?customerINN=9600000101&limit=0
documents/line /documents?number=3960000000225000001
documents/line-223 /documents?number=39600000001
documents/line-rnp /documents?number=%D0%A0%D0%9D%D0%9F.960092-25
changes/a-page /changes?limit=24
changes/the-next-page /changes?limit=24&after=gA8BAQECACCzpb-116iG0Q
changes/no-page /changes?limit=0
changes/none /changes?after=now
purchase44/all-filled /purchase/demo44?purchaseNumber=0960000000025000001
purchase44/all-empty /purchase/demo44?purchaseNumber=0960000000025000002
purchase44/several-of-each /purchase/demo44?purchaseNumber=0960000000025000003
purchase44/none-in-a-lot /purchase/demo44?purchaseNumber=0960000000025000004
purchase44/omitted-fields-and-winner /purchase/demo44?purchaseNumber=0960000000025000005
purchase44/nasty-text /purchase/demo44?purchaseNumber=0960000000025000006
purchase44/flags /purchase/demo44?purchaseNumber=0960000000025000007
purchase223/all-filled /purchase/demo223?purchaseNumber=39600000001
purchase223/all-empty /purchase/demo223?purchaseNumber=39600000002
purchase223/several-of-each /purchase/demo223?purchaseNumber=39600000003
purchase223/none-in-a-lot /purchase/demo223?purchaseNumber=39600000004
purchase223/nasty-text /purchase/demo223?purchaseNumber=39600000005
purchase615/all-filled /purchase/demo223?purchaseNumber=096000000000000001
purchase615/at-a-path-of-its-own /purchase/demo615?purchaseNumber=096000000000000001
purchase615/all-empty /purchase/demo223?purchaseNumber=096000000000000002
purchase615/winner-without-contract /purchase/demo223?purchaseNumber=096000000000000003
purchase615/contract-without-winner /purchase/demo223?purchaseNumber=096000000000000004
purchase615/nasty-text /purchase/demo223?purchaseNumber=096000000000000005
";

/// Errors specific to an endpoint, in both formats: the name of the case, and the target.
const ERRORS: &str = "
contracts/error-inn-missing /contract/monitor-supplier44?
contracts/error-inn-malformed /contract/monitor-supplier44?supplierINN=96000000021
contracts/error-inn-twice /contract/monitor-supplier44?supplierINN=9600000002&supplierInn=9600000003
contracts/error-limit-over-200 /contract/monitor-supplier44?supplierINN=9600000002&limit=500
contracts/error-limit-no-number /contract/monitor-supplier44?supplierINN=9600000002&limit=-1
contracts/error-skip-no-number /contract/monitor-supplier44?supplierINN=9600000002&skip=1.0
contracts/error-stage /contract/monitor-supplier44?supplierINN=9600000002&stage=e
contracts/error-signed-from /contract/monitor-supplier44?supplierINN=9600000002&signedFrom=2025-02-30
contracts/error-customer /contract/monitor-supplier44?supplierINN=9600000002&customerInn=x
contracts/error-sort /contract/monitor-supplier44?supplierINN=9600000002&sort=regNum
summary/error-inn-missing /contract/summary-supplier44?
summary/error-updated-from /contract/summary-supplier44?supplierINN=9600000002&updatedFrom=2025
customer/error-inn-missing /contract/monitor-customer44?
customer/error-inn-malformed /contract/monitor-customer44?customerINN=x
by-number/error-number-missing /contract/by-number?
by-number/error-number-too-long /contract/by-number?regNum=111111111111111111111111111111111111111111111111111
by-number/error-not-found /contract/by-number?regNum=0
search/error-nothing-asked /contract/search?stage=E
search/error-words /contract/search?q=,%20.
search/error-code /contract/search?code=17.2x
search/error-region /contract/search?region=777
search/error-fact /contract/search?fact=late
search/error-inn /contract/search?supplierINN=96
content-summary/error-nothing-asked /contract/summary?
content-summary/error-top /contract/summary?region=96&top=10001
prices/error-nothing-asked /contract/prices?region=96
prices/error-limit /contract/prices?code=17&limit=201
find/error-text-missing /find?
find/error-names-missing /find/names?q=%0A
find/error-limit-over-50 /find?q=9600000021&limit=51
rnp/error-inn-missing /rnp/check-supplier?
rnp/error-day /rnp/check-supplier?supplierINN=9600000023&asOf=2024-06-31
rnp-many/error-inn-missing /rnp/check-suppliers?supplierINN=,%20,
rnp-many/error-day /rnp/check-suppliers?supplierINN=9600000023&asOf=01.06.2024
rnp-many/error-history /rnp/check-suppliers?supplierINN=9600000023&history=yes
rnp-entries/error-limit-over-200 /rnp/entries?limit=201
rnp-entries/error-name-too-short /rnp/entries?q=%D0%B6..x
rnp-entries/error-region /rnp/entries?region=777
rnp-entries/error-in-force /rnp/entries?inForce=1
documents/error-number-missing /documents?number=
documents/error-not-found /documents?number=0
changes/error-after /changes?after=0
changes/error-after-gone /changes?after=gg8BAQBGUj_FHK7Wbg
changes/error-limit /changes?after=now&limit=10001
rnp/error-inn-malformed /rnp/check-supplier?supplierINN=960000002x
rnp/error-inn-cut-short /rnp/check-supplier?supplierINN=11111111111111111111111111111111111111111
rnp/error-inn-not-for-a-header /rnp/check-supplier?supplierINN=1%0D%0AX%3A%20%D0%B6
rnp/error-inn-twice /rnp/check-supplier?supplierINN=9600000002&supplierInn=9600000003
rnp/error-supplier-unknown /rnp/check-supplier?supplierINN=9600000999
purchase-search/error-condition-missing /purchase/search?law=44&open=true
purchase-search/error-words /purchase/search?q=%22*%22%20-%20!
purchase-search/error-code /purchase/search?code=17.2x
purchase-search/error-law /purchase/search?region=96&law=94
purchase-search/error-sort /purchase/search?region=96&sort=-closes
purchase44/error-number-missing /purchase/demo44?
purchase44/error-number-of-223 /purchase/demo44?purchaseNumber=39600000001
purchase44/error-number-twice /purchase/demo44?purchaseNumber=0960000000025000001&purchaseNumber=0960000000025000002
purchase44/error-not-found /purchase/demo44?purchaseNumber=0960000000025000999
purchase223/error-number-missing /purchase/demo223?
purchase223/error-number-of-44 /purchase/demo223?purchaseNumber=0960000000025000001
purchase223/error-number-malformed /purchase/demo223?purchaseNumber=29600000001
purchase223/error-number-twice /purchase/demo223?purchaseNumber=39600000001&purchaseNumber=096000000000000001
purchase223/error-not-found /purchase/demo223?purchaseNumber=39600000999
purchase615/error-not-found /purchase/demo223?purchaseNumber=096000000000000999
path615/error-number-missing /purchase/demo615?
path615/error-number-of-223 /purchase/demo615?purchaseNumber=39600000001
path615/error-number-twice /purchase/demo615?purchaseNumber=096000000000000001&purchaseNumber=096000000000000002
path615/error-not-found /purchase/demo615?purchaseNumber=096000000000000999
";

/// Requests for the cases that exist for every endpoint: folder, a valid request, and the query for
/// a damaged record, if there is one. Tests of all endpoints use the valid requests too.
const PLACES: &str = "
contracts /contract/monitor-supplier44?supplierINN=9600000002 supplierINN=9600000091
summary /contract/summary-supplier44?supplierINN=9600000002 supplierINN=9600000091
customer /contract/monitor-customer44?customerINN=9600000101 customerINN=9600000191
by-number /contract/by-number?regNum=3960000000225000001 regNum=2960000009325000001
search /contract/search?customerInn=9600000101 customerInn=9600000191
content-summary /contract/summary?customerInn=9600000101&top=10 customerInn=9600000191
prices /contract/prices?code=17.23 code=99
find /find?q=9600000021 q=9600000092
find-names /find/names?q=%D0%BA%D0%BE%D0%BD%D1%82%D1%80%D0%B0%D0%BA%D1%82 q=%D0%BF%D0%BE%D0%B2%D1%80%D0%B5%D0%B6%D0%B4%D0%B5%D0%BD%D0%BE
rnp /rnp/check-supplier?supplierINN=9600000021 supplierINN=9600000092
rnp-many /rnp/check-suppliers?supplierINN=9600000021,9600000022 supplierINN=9600000021,9600000092
rnp-entries /rnp/entries?limit=1 q=%D0%BF%D0%BE%D0%B2%D1%80%D0%B5%D0%B6%D0%B4%D0%B5%D0%BD%D0%BE
documents /documents?number=3960000000225000001 number=2960000000025000091
changes /changes?limit=2
won /purchase/won-by-supplier?supplierINN=9600000261 supplierINN=9600000092
purchase-search /purchase/search?region=96&limit=1 q=%D0%BF%D0%BE%D0%B2%D1%80%D0%B5%D0%B6%D0%B4%D0%B5%D0%BD%D0%BE
purchase44 /purchase/demo44?purchaseNumber=0960000000025000001 purchaseNumber=0960000000025000091
purchase223 /purchase/demo223?purchaseNumber=39600000001 purchaseNumber=39600000091
purchase615 /purchase/demo223?purchaseNumber=096000000000000001 purchaseNumber=096000000000000091
path615 /purchase/demo615?purchaseNumber=096000000000000001 purchaseNumber=096000000000000091
";

pub fn answers() -> impl Iterator<Item = [&'static str; 3]> {
    cases(ANSWERS)
}

pub fn errors() -> impl Iterator<Item = [&'static str; 3]> {
    cases(ERRORS)
}

/// Returns folder, path, valid query and query for a damaged record, for each endpoint.
pub fn places() -> impl Iterator<Item = [&'static str; 4]> {
    cases(PLACES).map(|[place, path, queries]| {
        let (query, damaged) = queries.split_once(' ').unwrap_or((queries, ""));
        [place, path, query, damaged]
    })
}

fn cases(table: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    table.trim().lines().map(|row| {
        let (name, target) = row.split_once(' ').expect("a case");
        let (path, query) = target.split_once('?').expect("a query");
        [name, path, query]
    })
}
