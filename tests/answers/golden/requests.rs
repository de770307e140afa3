//! The requests: paths and queries, each with the file of its response.

const CONTRACTS: &str = "/contract/monitor-supplier44";
const SUMMARY: &str = "/contract/summary-supplier44";
const CUSTOMER: &str = "/contract/monitor-customer44";
const FIND: &str = "/find";
const FIND_NAMES: &str = "/find/names";
const WON: &str = "/purchase/won-by-supplier";
const RNP: &str = "/rnp/check-supplier";
const MANY: &str = "/rnp/check-suppliers";
const P44: &str = "/purchase/demo44";
const P223: &str = "/purchase/demo223";
const P615: &str = "/purchase/demo615";
const DOCUMENTS: &str = "/documents";
const CHANGES: &str = "/changes";

/// Requests for data, in both formats: the case, path and query.
pub const ANSWERS: &[(&str, &str, &str)] = &[
    ("contracts/none", CONTRACTS, "supplierINN=9600000001"),
    ("contracts/all-filled", CONTRACTS, "supplierINN=9600000002"),
    ("contracts/all-empty", CONTRACTS, "supplierINN=9600000003"),
    ("contracts/several", CONTRACTS, "supplierINN=960000000400"),
    (
        "contracts/second-page",
        CONTRACTS,
        "supplierINN=960000000400&skip=1&limit=2",
    ),
    (
        "contracts/no-page",
        CONTRACTS,
        "supplierINN=960000000400&limit=0",
    ),
    (
        "contracts/past-the-end",
        CONTRACTS,
        "supplierINN=960000000400&skip=99999999999999999999999999&limit=200",
    ),
    ("contracts/amounts", CONTRACTS, "supplierINN=9600000005"),
    ("contracts/nasty-text", CONTRACTS, "supplierINN=9600000006"),
    ("contracts/flags", CONTRACTS, "supplierINN=9600000007"),
    (
        "contracts/unknown-supplier",
        CONTRACTS,
        "supplierINN=9600000999",
    ),
    (
        "contracts/filtered",
        CONTRACTS,
        "supplierINN=960000000400&stage=E,IN&signedFrom=2025-01-01&signedTo=2025-02-01&updatedFrom=2025-01-31&customerInn=9600000101",
    ),
    (
        "contracts/filtered-to-none",
        CONTRACTS,
        "supplierINN=960000000400&stage=EC",
    ),
    (
        "contracts/sorted",
        CONTRACTS,
        "supplierINN=9600000005&sort=contractPrice",
    ),
    ("summary/none", SUMMARY, "supplierINN=9600000001"),
    ("summary/all-filled", SUMMARY, "supplierINN=9600000002"),
    ("summary/all-empty", SUMMARY, "supplierINN=9600000003"),
    ("summary/several", SUMMARY, "supplierINN=960000000400"),
    (
        "summary/filtered",
        SUMMARY,
        "supplierINN=960000000400&stage=E,IN&signedFrom=2025-02-01",
    ),
    ("summary/amounts", SUMMARY, "supplierINN=9600000005"),
    ("summary/nasty-text", SUMMARY, "supplierINN=9600000006"),
    (
        "summary/unknown-supplier",
        SUMMARY,
        "supplierINN=9600000999",
    ),
    ("won/none", WON, "supplierINN=9600000999"),
    ("won/one", WON, "supplierINN=9600000261"),
    ("customer/none", CUSTOMER, "customerINN=9600000999"),
    ("customer/several", CUSTOMER, "customerINN=9600000101"),
    (
        "customer/filtered",
        CUSTOMER,
        "customerInn=9600000101&stage=E&sort=contractPrice&limit=1",
    ),
    ("find/none", FIND, "q=%D1%89%D1%89%D1%89"),
    (
        "find/names",
        FIND,
        "q=%D0%BA%D0%BE%D0%BD%D1%82%D1%80%D0%B0%D0%BA%D1%82",
    ),
    ("find/number", FIND, "q=9600000002"),
    (
        "find-names/several",
        FIND_NAMES,
        "q=%D0%BA%D0%BE%D0%BD%D1%82%D1%80%D0%B0%D0%BA%D1%82%0A%D1%89%D1%89%D1%89",
    ),
    ("rnp/none", RNP, "supplierINN=9600000001"),
    (
        "rnp/none-known-by-a-contract",
        RNP,
        "supplierINN=960000000400",
    ),
    ("rnp/all-filled", RNP, "supplierINN=9600000021"),
    ("rnp/several", RNP, "supplierINN=9600000022"),
    ("rnp/past", RNP, "supplierINN=9600000023"),
    ("rnp/future", RNP, "supplierINN=9600000024"),
    ("rnp/all-empty", RNP, "supplierINN=9600000025"),
    ("rnp/nasty-text", RNP, "supplierINN=9600000026"),
    (
        "rnp/as-of-a-day-of-the-past",
        RNP,
        "supplierINN=9600000023&asOf=2024-06-01",
    ),
    (
        "rnp-many/each-verdict",
        MANY,
        "supplierINN=9600000021,9600000023,9600000024,9600000999,%209600000001%20,,7707083893,96x,9600000021",
    ),
    (
        "rnp-many/history",
        MANY,
        "supplierINN=9600000022,9600000023,9600000026,9600000001&history=1",
    ),
    (
        "rnp-many/as-of-a-day-of-the-past",
        MANY,
        "supplierINN=9600000022,9600000023&asOf=2024-06-01&history=1",
    ),
    ("documents/line", DOCUMENTS, "number=3960000000225000001"),
    ("documents/line-223", DOCUMENTS, "number=39600000001"),
    (
        "documents/line-rnp",
        DOCUMENTS,
        "number=%D0%A0%D0%9D%D0%9F.960092-25",
    ),
    ("changes/a-page", CHANGES, "limit=24"),
    (
        "changes/the-next-page",
        CHANGES,
        "limit=24&after=gA8BAQECACCzpb-116iG0Q",
    ),
    ("changes/no-page", CHANGES, "limit=0"),
    ("changes/none", CHANGES, "after=now"),
    (
        "purchase44/all-filled",
        P44,
        "purchaseNumber=0960000000025000001",
    ),
    (
        "purchase44/all-empty",
        P44,
        "purchaseNumber=0960000000025000002",
    ),
    (
        "purchase44/several-of-each",
        P44,
        "purchaseNumber=0960000000025000003",
    ),
    (
        "purchase44/none-in-a-lot",
        P44,
        "purchaseNumber=0960000000025000004",
    ),
    (
        "purchase44/omitted-fields-and-winner",
        P44,
        "purchaseNumber=0960000000025000005",
    ),
    (
        "purchase44/nasty-text",
        P44,
        "purchaseNumber=0960000000025000006",
    ),
    (
        "purchase44/flags",
        P44,
        "purchaseNumber=0960000000025000007",
    ),
    ("purchase223/all-filled", P223, "purchaseNumber=39600000001"),
    ("purchase223/all-empty", P223, "purchaseNumber=39600000002"),
    (
        "purchase223/several-of-each",
        P223,
        "purchaseNumber=39600000003",
    ),
    (
        "purchase223/none-in-a-lot",
        P223,
        "purchaseNumber=39600000004",
    ),
    ("purchase223/nasty-text", P223, "purchaseNumber=39600000005"),
    (
        "purchase615/all-filled",
        P223,
        "purchaseNumber=096000000000000001",
    ),
    (
        "purchase615/at-a-path-of-its-own",
        P615,
        "purchaseNumber=096000000000000001",
    ),
    (
        "purchase615/all-empty",
        P223,
        "purchaseNumber=096000000000000002",
    ),
    (
        "purchase615/winner-without-contract",
        P223,
        "purchaseNumber=096000000000000003",
    ),
    (
        "purchase615/contract-without-winner",
        P223,
        "purchaseNumber=096000000000000004",
    ),
    (
        "purchase615/nasty-text",
        P223,
        "purchaseNumber=096000000000000005",
    ),
];

/// The endpoints of the error cases: folder, path, a valid query, and one for a damaged
/// record.
pub const PLACES: &[(&str, &str, &str, &str)] = &[
    (
        "contracts",
        CONTRACTS,
        "supplierINN=9600000002",
        "supplierINN=9600000091",
    ),
    (
        "summary",
        SUMMARY,
        "supplierINN=9600000002",
        "supplierINN=9600000091",
    ),
    (
        "customer",
        CUSTOMER,
        "customerINN=9600000101",
        "customerINN=9600000191",
    ),
    ("find", FIND, "q=9600000021", "q=9600000092"),
    (
        "find-names",
        FIND_NAMES,
        "q=%D0%BA%D0%BE%D0%BD%D1%82%D1%80%D0%B0%D0%BA%D1%82",
        "q=%D0%BF%D0%BE%D0%B2%D1%80%D0%B5%D0%B6%D0%B4%D0%B5%D0%BD%D0%BE",
    ),
    (
        "rnp",
        RNP,
        "supplierINN=9600000021",
        "supplierINN=9600000092",
    ),
    (
        "rnp-many",
        MANY,
        "supplierINN=9600000021,9600000022",
        "supplierINN=9600000021,9600000092",
    ),
    (
        "documents",
        DOCUMENTS,
        "number=3960000000225000001",
        "number=2960000000025000091",
    ),
    ("changes", CHANGES, "limit=2", ""),
    (
        "purchase44",
        P44,
        "purchaseNumber=0960000000025000001",
        "purchaseNumber=0960000000025000091",
    ),
    (
        "purchase223",
        P223,
        "purchaseNumber=39600000001",
        "purchaseNumber=39600000091",
    ),
    (
        "purchase615",
        P223,
        "purchaseNumber=096000000000000001",
        "purchaseNumber=096000000000000091",
    ),
    (
        "path615",
        P615,
        "purchaseNumber=096000000000000001",
        "purchaseNumber=096000000000000091",
    ),
];

/// Errors of one endpoint, in both formats: the case, path and query.
pub const ERRORS: &[(&str, &str, &str)] = &[
    ("contracts/error-inn-missing", CONTRACTS, ""),
    (
        "contracts/error-inn-malformed",
        CONTRACTS,
        "supplierINN=96000000021",
    ),
    (
        "contracts/error-inn-twice",
        CONTRACTS,
        "supplierINN=9600000002&supplierInn=9600000003",
    ),
    (
        "contracts/error-limit-over-200",
        CONTRACTS,
        "supplierINN=9600000002&limit=500",
    ),
    (
        "contracts/error-limit-no-number",
        CONTRACTS,
        "supplierINN=9600000002&limit=-1",
    ),
    (
        "contracts/error-skip-no-number",
        CONTRACTS,
        "supplierINN=9600000002&skip=1.0",
    ),
    (
        "contracts/error-stage",
        CONTRACTS,
        "supplierINN=9600000002&stage=e",
    ),
    (
        "contracts/error-signed-from",
        CONTRACTS,
        "supplierINN=9600000002&signedFrom=2025-02-30",
    ),
    (
        "contracts/error-customer",
        CONTRACTS,
        "supplierINN=9600000002&customerInn=x",
    ),
    (
        "contracts/error-sort",
        CONTRACTS,
        "supplierINN=9600000002&sort=regNum",
    ),
    ("summary/error-inn-missing", SUMMARY, ""),
    (
        "summary/error-updated-from",
        SUMMARY,
        "supplierINN=9600000002&updatedFrom=2025",
    ),
    ("customer/error-inn-missing", CUSTOMER, ""),
    ("customer/error-inn-malformed", CUSTOMER, "customerINN=x"),
    ("find/error-text-missing", FIND, ""),
    ("find/error-names-missing", FIND_NAMES, "q=%0A"),
    ("find/error-limit-over-50", FIND, "q=9600000021&limit=51"),
    ("rnp/error-inn-missing", RNP, ""),
    (
        "rnp/error-day",
        RNP,
        "supplierINN=9600000023&asOf=2024-06-31",
    ),
    ("rnp-many/error-inn-missing", MANY, "supplierINN=,%20,"),
    (
        "rnp-many/error-day",
        MANY,
        "supplierINN=9600000023&asOf=01.06.2024",
    ),
    (
        "rnp-many/error-history",
        MANY,
        "supplierINN=9600000023&history=yes",
    ),
    ("documents/error-number-missing", DOCUMENTS, "number="),
    ("documents/error-not-found", DOCUMENTS, "number=0"),
    ("changes/error-after", CHANGES, "after=0"),
    (
        "changes/error-after-gone",
        CHANGES,
        "after=gg8BAQBGUj_FHK7Wbg",
    ),
    ("changes/error-limit", CHANGES, "after=now&limit=10001"),
    ("rnp/error-inn-malformed", RNP, "supplierINN=960000002x"),
    (
        "rnp/error-inn-twice",
        RNP,
        "supplierINN=9600000002&supplierInn=9600000003",
    ),
    ("rnp/error-supplier-unknown", RNP, "supplierINN=9600000999"),
    ("purchase44/error-number-missing", P44, ""),
    (
        "purchase44/error-number-of-223",
        P44,
        "purchaseNumber=39600000001",
    ),
    (
        "purchase44/error-number-twice",
        P44,
        "purchaseNumber=0960000000025000001&purchaseNumber=0960000000025000002",
    ),
    (
        "purchase44/error-not-found",
        P44,
        "purchaseNumber=0960000000025000999",
    ),
    ("purchase223/error-number-missing", P223, ""),
    (
        "purchase223/error-number-of-44",
        P223,
        "purchaseNumber=0960000000025000001",
    ),
    (
        "purchase223/error-number-malformed",
        P223,
        "purchaseNumber=29600000001",
    ),
    (
        "purchase223/error-number-twice",
        P223,
        "purchaseNumber=39600000001&purchaseNumber=096000000000000001",
    ),
    (
        "purchase223/error-not-found",
        P223,
        "purchaseNumber=39600000999",
    ),
    (
        "purchase615/error-not-found",
        P223,
        "purchaseNumber=096000000000000999",
    ),
    ("path615/error-number-missing", P615, ""),
    (
        "path615/error-number-of-223",
        P615,
        "purchaseNumber=39600000001",
    ),
    (
        "path615/error-number-twice",
        P615,
        "purchaseNumber=096000000000000001&purchaseNumber=096000000000000002",
    ),
    (
        "path615/error-not-found",
        P615,
        "purchaseNumber=096000000000000999",
    ),
];
