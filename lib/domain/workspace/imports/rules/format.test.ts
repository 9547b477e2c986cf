import { expect, test } from "vitest";
import { notNamedText } from "./format.ts";

test.each([
  ["invoice.pdf", "pdf"],
  ["setup.EXE", "exe"],
  ["page.html", "html"],
  ["page.htm", "htm"],
  ["letter.docx", "docx"],
  ["fair.csv.xlsx", "xlsx"],
  ["fair.xls", "xls"],
  ["contacts.csv.gz", "gz"],
  ["card.vcf. ", "vcf"],
  ["a.sh\n", "sh"],
])("the name %j says that it is something else", (name, ending) =>
  expect(notNamedText(name)).toBe(
    `The file's name ends in .${ending}, which is not CSV. Save it as CSV, and name it so.`,
  ),
);

test.each([
  "fair.csv",
  "fair.tsv",
  "list.TXT",
  "report.pdf.csv",
  "Leads from acme.com",
  "v1.2",
  "pdf",
  "html",
  "",
  ".",
])("the name %j may be that of a CSV", (name) => expect(notNamedText(name)).toBeNull());
