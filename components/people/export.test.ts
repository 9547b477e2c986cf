import { expect, test, vi } from "vitest";
import { exportRows } from "#components/records/export.ts";
import type { ListKind } from "#components/records/list-kind.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import { personColumns } from "./columns.tsx";

/** The cells of a CSV file by RFC 4180. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (let match = cell.exec(csv); match; match = cell.exec(csv)) {
    const [, text = "", end] = match;
    rows.at(-1)?.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (end === "\r\n") rows.push([]);
    else if (end === "") break;
  }
  return rows;
}

/** The file that is handed to the reader. */
async function exported(people: readonly Person[]): Promise<string> {
  const blobs: Blob[] = [];
  vi.stubGlobal("document", { createElement: () => ({ click: () => undefined }) });
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return "blob:1";
  });
  vi.useFakeTimers();
  exportRows({ id: "people" } as ListKind<Person>, personColumns, people);
  vi.useRealTimers();
  return Buffer.from(await (blobs[0] as Blob).arrayBuffer()).toString(); // text() would drop the byte order mark
}

const begins = ["=", "+", "-", "@", "\t", "\r"];

/** Every field of a person that someone else may have written. */
const personWith = (text: string): Person => ({
  id: "0190a6e0-0000-7000-8000-000000000010",
  entity_id: "0190a6e0-0000-7000-8000-000000000010",
  email: text,
  first_name: text,
  last_name: text,
  job_title: text,
  company: text,
  company_id: null,
  linkedin_url: text,
  phone: text,
  owner: text,
  source: text,
  status: "active",
  created_at: "2026-06-03T09:00:00.000Z",
  properties: { region: text },
  pipeline_stage: "identified",
  icp_score: null,
  last_activity_at: null,
  updated_at: "2026-06-03T09:00:00.000Z",
});

test("no cell of the people's file is a formula, whatever text it holds", async () => {
  const texts = begins.flatMap((begin) => [`${begin}HYPERLINK("https://evil.example","x")`, `${begin}1+1,"2"`]);
  const csv = await exported(texts.map(personWith));
  expect(csv.startsWith("\uFEFF")).toBe(true);
  const [header, ...rows] = cellsOf(csv.slice(1));
  expect(header).toEqual([...personColumns.map(({ label }) => label), "Record id"]);
  expect(rows).toHaveLength(texts.length);
  for (const [place, row] of rows.entries()) {
    expect(row).toHaveLength(personColumns.length + 1);
    for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    // Nothing is lost: an apostrophe is in front of the text.
    expect(row).toContain(`'${texts[place]}`);
  }
});

test("telephone numbers stay as they are", async () => {
  const [, [...row] = []] = cellsOf((await exported([{ ...personWith("Anna"), phone: "+4930123456" }])).slice(1));
  expect(row).toContain("+4930123456");
});
