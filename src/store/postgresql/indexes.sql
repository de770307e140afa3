-- Keys and indexes of the published data, created once the tables are filled.
ALTER TABLE supplier ADD PRIMARY KEY (inn);
CREATE UNIQUE INDEX supplier_by_id ON supplier (id);
ALTER TABLE searched_name ADD PRIMARY KEY (inn, is_customer);
-- Includes the id, so that purchases can be counted without reading records.
ALTER TABLE purchase ADD PRIMARY KEY (number) INCLUDE (id);
CREATE UNIQUE INDEX purchase_by_id ON purchase (id);
ALTER TABLE purchase_facet ADD PRIMARY KEY (id);
-- Includes the sum, so that a publication can be compared with the file without reading items.
ALTER TABLE contract_items ADD PRIMARY KEY (id) INCLUDE (sum);
ALTER TABLE contract_content ADD PRIMARY KEY (id);
ALTER TABLE purchase_content ADD PRIMARY KEY (id);
CREATE INDEX contract_content_tokens ON contract_content USING gin (tokens) WITH (fastupdate = off);
CREATE INDEX purchase_content_tokens ON purchase_content USING gin (tokens) WITH (fastupdate = off);
ALTER TABLE purchase_winner ADD PRIMARY KEY (inn, day, number);
CREATE INDEX purchase_winner_of_purchase ON purchase_winner (number);
ALTER TABLE rnp_entry ADD PRIMARY KEY (supplier_inn, number);
CREATE INDEX rnp_entry_by_number ON rnp_entry (number);
CREATE INDEX document_about ON document (number);
CREATE INDEX document_of_purchase ON document (purchase) WHERE purchase <> '';
CREATE INDEX document_of_contract ON document (contract) WHERE contract <> '';
ALTER TABLE registry ADD PRIMARY KEY (federal_law);
ALTER TABLE coverage ADD PRIMARY KEY (subsystem, documents, region, first_day);
ALTER TABLE revision ADD PRIMARY KEY (number);
ALTER TABLE change ADD PRIMARY KEY (key, part);
CREATE INDEX change_in_order ON change (revision, part, subject, key);
