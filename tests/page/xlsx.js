// Builds workbooks (XLSX) like those that spreadsheet programs write, as input for parser tests.

import { crc32, deflateRawSync } from "node:zlib";

/** Returns a ZIP archive of compressed files. `files` maps paths to contents. */
export function zipped(files) {
  const [local, central] = [[], []];
  let at = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, body] = [Buffer.from(path), Buffer.from(content)];
    const packed = deflateRawSync(body);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(name.length, 22);
    local.push(Buffer.from([0x50, 0x4b, 3, 4]), common, name, packed);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(at, 10);
    central.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, end, name);
    at += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, directory, end]);
}

/**
 * Returns a workbook. `sheets` has the name, the XML of the rows and additional attributes of each
 * sheet; `strings` and `styles` are the XML of the shared strings and of the styles.
 */
export function workbook(sheets, strings = "", styles = "") {
  const files = {
    "xl/workbook.xml": `<workbook><sheets>${sheets.map(([name, , more = ""], at) => `<sheet name="${name}" sheetId="${at + 1}" ${more} r:id="rId${at + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    "xl/styles.xml": `<styleSheet>${styles}</styleSheet>`,
  };
  for (const [at, [, rows]] of sheets.entries()) files[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  return zipped(files);
}

/** Returns rows of strings as XML. */
export const textRows = (rows) => rows.map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join("")}</row>`).join("");
