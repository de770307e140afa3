-- Views for people who open the file with SQLite or Datasette (the manual, "The tables of the
-- file"). This program never uses them. They call only functions built into SQLite. Their columns
-- stay the same within a format.

CREATE VIEW v_contract AS
SELECT
    contract_facet.id AS id,
    CASE typeof(reg_num) WHEN 'integer' THEN printf('%019u', reg_num) ELSE reg_num END AS reg_num,
    nullif(printf('%04d-%02d-%02d', sign_date / 10000, sign_date / 100 % 100, sign_date % 100), '0000-00-00') AS sign_date,
    nullif(printf('%04d-%02d-%02d', update_date / 10000, update_date / 100 % 100, update_date % 100), '0000-00-00') AS update_date,
    CASE stage WHEN 1 THEN 'EC' WHEN 2 THEN 'ET' WHEN 3 THEN 'E' WHEN 4 THEN 'IN' END AS stage,
    CASE WHEN price_text IS NOT NULL THEN price_text WHEN price IS NOT NULL
        THEN printf('%s%d.%02d', CASE WHEN price < 0 THEN '-' ELSE '' END, abs(price) / 100, abs(price) % 100) END AS price,
    price AS price_kopecks,
    CASE WHEN supplier.inn GLOB '[0-9]*' THEN supplier.inn END AS supplier_inn,
    nullif(CASE WHEN given_name <> '' THEN given_name ELSE official_name END, '') AS supplier_name,
    nullif(CAST(customer_inn AS TEXT), '') AS customer_inn,
    trim(replace(searched_name.name, char(9), '')) AS customer_words,
    CASE WHEN not_overdue_to < 99991231
        THEN printf('%04d-%02d-%02d', not_overdue_to / 10000, not_overdue_to / 100 % 100, not_overdue_to % 100) END AS due,
    has_subcontractors,
    facts & 1 AS terminated_by_supplier,
    facts >> 1 & 1 AS terminated_by_customer,
    facts >> 2 & 1 AS terminated_by_court,
    facts >> 3 & 1 AS terminated_mutually,
    facts >> 4 & 1 AS has_penalties,
    facts >> 5 & 1 AS has_guarantee_claims
FROM contract_facet
JOIN supplier ON supplier.id = contract_facet.id >> 37
LEFT JOIN searched_name ON searched_name.inn = customer_inn AND searched_name.id >= 4294967296;

CREATE VIEW v_purchase AS
SELECT
    purchase.id AS id,
    number,
    CAST(law AS TEXT) AS law,
    nullif(printf('%04d-%02d-%02d', published / 10000, published / 100 % 100, published % 100), '0000-00-00') AS published,
    CASE WHEN price_text IS NOT NULL THEN price_text WHEN price IS NOT NULL
        THEN printf('%s%d.%02d', CASE WHEN price < 0 THEN '-' ELSE '' END, abs(price) / 100, abs(price) % 100) END AS price,
    price AS price_kopecks,
    strftime('%Y-%m-%d %H:%M', closes * 60, 'unixepoch') AS closes,
    (SELECT group_concat(inn, ', ') FROM purchase_winner WHERE purchase_winner.number = purchase.number) AS winner_inns,
    (SELECT count(*) FROM document WHERE document.number = purchase.number) AS documents
FROM purchase
JOIN purchase_facet ON purchase_facet.id = purchase.id;

CREATE VIEW v_rnp_entry AS
SELECT
    rnp_entry.id AS id,
    number,
    federal_law AS law,
    CASE WHEN rnp_entry.inn GLOB '[0-9]*' THEN rnp_entry.inn END AS supplier_inn,
    nullif(CASE WHEN given_name <> '' THEN given_name ELSE official_name END, '') AS supplier_name,
    contracts AS supplier_contracts,
    nullif(printf('%04d-%02d-%02d', seen / 10000, seen / 100 % 100, seen % 100), '0000-00-00') AS last_seen,
    (SELECT count(*) FROM document WHERE document.number = rnp_entry.number) AS documents
FROM rnp_entry
LEFT JOIN supplier ON supplier.inn = rnp_entry.inn;
