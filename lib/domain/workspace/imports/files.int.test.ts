/** Files as other tools write them, and files that are none. */
import { once } from "node:events";
import http from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { Import } from "./contract.ts";

const server = useServer();
beforeAll(() => startWorker());
afterAll(() => stopWorker());

type UploadAnswer = { status: number; body: { import?: Import; error?: string; message?: string; parameter?: string } };

async function send(
  bytes: string | Buffer,
  more: { kind?: string; type?: string; encoding?: string } = {},
): Promise<UploadAnswer> {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const answer = await server.call(`/v2/imports?file_name=list.csv&kind=${more.kind ?? "people"}`, {
    method: "POST",
    key,
    raw: bytes,
    headers: {
      "content-type": more.type ?? "text/csv",
      ...(more.encoding ? { "content-encoding": more.encoding } : {}),
    },
  });
  return answer as unknown as UploadAnswer;
}

const utf16 = (text: string, big: boolean): Buffer => {
  const little = Buffer.from(`\uFEFF${text}`, "utf16le");
  return big ? little.swap16() : little;
};

const PLAIN = "Email,First Name\nanna@acme.com,Zoë\nben@acme.com,Ben\n";

describe("a file is read", () => {
  test.each<[string, string | Buffer, object]>([
    ["in UTF-8", PLAIN, { encoding: "utf-8", delimiter: ",", header_row: 1, rows: 2 }],
    ["with a byte order mark", `\uFEFF${PLAIN}`, { encoding: "utf-8", rows: 2 }],
    ["in UTF-16, little end first", utf16(PLAIN, false), { encoding: "utf-16le", rows: 2 }],
    ["in UTF-16, big end first", utf16(PLAIN, true), { encoding: "utf-16be", rows: 2 }],
    ["in UTF-16 without a mark", Buffer.from(PLAIN, "utf16le"), { encoding: "utf-16le", rows: 2 }],
    ["in Windows-1252", Buffer.from(PLAIN, "latin1"), { encoding: "windows-1252", rows: 2 }],
    ["with semicolons", PLAIN.replaceAll(",", ";"), { delimiter: ";", rows: 2 }],
    ["with tabs", PLAIN.replaceAll(",", "\t"), { delimiter: "\t", rows: 2 }],
    ["with bars", PLAIN.replaceAll(",", "|"), { delimiter: "|", rows: 2 }],
    ["with mixed line ends", "Email,First Name\r\nanna@acme.com,Zoë\nben@acme.com,Ben\r\n", { rows: 2 }],
    ["with old Mac line ends", PLAIN.replaceAll("\n", "\r"), { rows: 2 }],
    ["without a last line end", PLAIN.trimEnd(), { rows: 2 }],
    ["with empty lines", PLAIN.replace("\nben", "\n\n\nben") + "\n\n", { rows: 2 }],
    ["with a preamble", `Notes:\n"When exporting, some are missing."\n\n${PLAIN}`, { header_row: 4, rows: 2 }],
    ["with line breaks in quotes", 'Email,First Name\n"anna@acme.com","Zoë\nMaria"\nben@acme.com,Ben\n', { rows: 2 }],
    ["in gzip as it is sent", gzipSync(PLAIN), { encoding: "utf-8", rows: 2 }],
  ])("%s", async (name, bytes, format) => {
    const { status, body } = await send(bytes, name.startsWith("in gzip") ? { encoding: "gzip" } : {});
    expect(body.message ?? "").toBe("");
    expect(status).toBe(201);
    expect(body.import?.format).toMatchObject(format);
    expect(body.import?.columns.map(({ to }) => to)).toEqual(["email", "first_name"]);
    expect(body.import?.columns[1]?.samples[0]).toMatch(/^Zoë/);
  });

  test("whose value is cut in its preview, at a character of two units", async () => {
    const { status, body } = await send(`Email,Notes\nanna@acme.com,${"a".repeat(98)}🙂 and more\n`);
    expect(status).toBe(201);
    expect(body.import?.columns[1]?.samples).toEqual([`${"a".repeat(98)}…`]);
  });

  test("with its name and kind from a form", async () => {
    const workspace = await createTestWorkspace();
    const form = new FormData();
    form.set("kind", "companies");
    form.set("file", new Blob(["Domain,Name\nacme.com,Acme\n"], { type: "text/csv" }), "accounts.csv");
    const response = await fetch(`${server.url()}/v2/imports`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${await workspace.key()}` },
    });
    const body = (await response.json()) as { import: Import };
    expect(response.status).toBe(201);
    expect(body.import).toMatchObject({ kind: "companies", name: "accounts", file: { name: "accounts.csv" } });
    expect(body.import.columns.map(({ to }) => to)).toEqual(["company_domain", "company"]);
  });
});

describe("a file is refused with a sentence that says why", () => {
  test("whose name says that it is something else, before anything is kept", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    const form = new FormData();
    form.set("file", new Blob([PLAIN], { type: "text/csv" }), "list.PDF");
    const answers = [
      await server.call("/v2/imports?file_name=list.exe", {
        method: "POST",
        key,
        raw: PLAIN,
        headers: { "content-type": "text/csv" },
      }),
      await server.call("/v2/imports", { key, body: { file_name: "list.html", content: PLAIN } }),
    ];
    const headers = { authorization: `Bearer ${key}` };
    const sent = await fetch(`${server.url()}/v2/imports`, { method: "POST", body: form, headers });
    const bodies = [...answers.map(({ body }) => body), await sent.json()] as UploadAnswer["body"][];
    expect(bodies).toMatchObject(
      ["exe", "html", "pdf"].map((ending) => ({
        error: "invalid_file",
        parameter: "file_name",
        message: expect.stringContaining(`ends in .${ending}, which is not CSV`),
      })),
    );
    expect(await inspect("SELECT 1 FROM imports WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(100_000)]);
  test.each<[string, string | Buffer, RegExp]>([
    ["an empty one", "", /The file is empty/],
    ["one of blanks", " \n \n", /The file is empty/],
    ["only a header", "Email,First Name\n", /Row 1 is the header, and there are no rows under it/],
    [
      "no header",
      "anna@acme.com,Anna\nben@acme.com,Ben\n",
      /Row 1, column 1 holds “anna@acme.com”, so the file has no row with headers/,
    ],
    [
      "10,000 columns",
      `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")}\n1\n`,
      /Row 1 has 10,000 columns; a file may have 1,000/,
    ],
    [
      "a header of 600,000 characters",
      `Email,"${"x".repeat(600_000)}"\nanna@acme.com,1\n`,
      /Row 1 is longer than 524,288/,
    ],
    ["a workbook", zip, /Excel workbook/],
    ["a gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), /gzip/],
    ["bytes of a program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 0, 0, 9, 9, 9]), /no CSV/],
    [
      "an open quote",
      'Email,First Name\n"anna@acme.com,Anna\nben@acme.com,Ben\n',
      /A quote that opens in row 2 is never closed/,
    ],
  ])("%s", async (_name, bytes, message) => {
    const { status, body } = await send(bytes);
    expect(body.message).toMatch(message);
    expect([status, body.error]).toEqual([400, "invalid_file"]);
    const left = await inspect("SELECT 1 FROM imports WHERE state = 'uploading'");
    expect(left).toEqual([]);
  });

  test("a body in an encoding that is not read, and one that is announced as too large", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    const send = (headers: Record<string, string>) =>
      server.call("/v2/imports", { key, raw: "x", headers: { "content-type": "text/csv", ...headers } });
    expect((await send({ "content-encoding": "br" })).status).toBe(415);
    expect((await send({ "content-encoding": "gzip" })).body.error).toBe("invalid_encoding");
    const large = Readable.from([Buffer.from("Email\n")]);
    const request = http.request(`${server.url()}/v2/imports`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "text/csv", "content-length": 201 * 1024 * 1024 },
    });
    large.pipe(request, { end: false });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  test.each([
    ["ends within the file", 'name="file"; filename="a.csv"\r\n\r\nEmail\nanna@acme.com\n'],
    ["ends before the file's content", 'name="file"; filename="a.csv"\r\n\r\n'],
    ["ends within a long file", `name="file"; filename="a.csv"\r\n\r\nEmail\n${"anna@acme.com\n".repeat(200_000)}`],
    ["ends within a field", 'name="kind"\r\n\r\npeo'],
    ["ends within the headers of a part", 'name="file"; filen'],
  ])("a form that %s, and the process goes on", async (_name, part) => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    const answer = await server.call("/v2/imports", {
      key,
      raw: `--x\r\nContent-Disposition: form-data; ${part}`,
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
    expect((await server.call("/v2/imports", { key })).body.imports).toEqual([]);
  });

  test("a form whose sender leaves within the file, and the process goes on", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    for (const wait of [0, 5, 50]) {
      const request = http.request(`${server.url()}/v2/imports`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "multipart/form-data; boundary=x",
          "content-length": 1_000_000,
        },
      });
      request.on("error", () => undefined);
      request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nEmail\n');
      await new Promise((resolve) => setTimeout(resolve, wait));
      request.destroy();
    }
    await expect.poll(async () => (await server.call("/v2/imports", { key })).body.imports).toEqual([]);
  });

  test("a wrong kind is told, not a missing file", async () => {
    expect(await send(PLAIN, { kind: "animals" })).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", parameter: "kind" },
    });
  });

  test("a form without a file", async () => {
    const workspace = await createTestWorkspace();
    const form = new FormData();
    form.set("kind", "people");
    const response = await fetch(`${server.url()}/v2/imports`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${await workspace.key()}` },
    });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, "file_required"]);
  });
});

describe("a bad row does not stop the others", () => {
  test.each<[string, string, string, RegExp]>([
    [
      "a cell of 5 MB",
      `Email,First Name\nanna@acme.com,${"x".repeat(5_000_000)}\nben@acme.com,Ben\n`,
      "cell_too_long",
      /5,000,000 characters/,
    ],
    [
      "more cells than headers",
      "Email,First Name\nanna@acme.com,Anna,CEO\nben@acme.com,Ben\n",
      "too_many_cells",
      /3 cells, the header 2/,
    ],
    ["no identifier", "Email,First Name\n,Anna\nben@acme.com,Ben\n", "no_identifier", /No e-mail/],
  ])("%s", async (_name, text, code, message) => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    const call = (path: string, body?: object) => server.call(path, body ? { key, body } : { key });
    const sent = await server.call("/v2/imports", { key, raw: text, headers: { "content-type": "text/csv" } });
    const { id } = sent.body.import as Import;
    await expect.poll(async () => ((await call(`/v2/imports/${id}`)).body.import as Import).state).toBe("ready");
    await call(`/v2/imports/${id}/run`, {});
    await expect.poll(async () => ((await call(`/v2/imports/${id}`)).body.import as Import).state).toBe("done");
    const rows = (await call(`/v2/imports/${id}/rows`)).body.rows as {
      outcome: string;
      row: number;
      reasons: { code: string; message: string }[];
    }[];
    expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
      [2, "skipped"],
      [3, "created"],
    ]);
    expect(rows[0]?.reasons[0]?.code).toBe(code);
    expect(rows[0]?.reasons[0]?.message).toMatch(message);
    const skipped = (await call(`/v2/imports/${id}/rows?outcome=skipped`)).body.rows as unknown[];
    expect(skipped).toHaveLength(1);
  });
});

test("the result is a file with each row's cells and outcome, and no formulas", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const raw = "Email,First Name\nanna@acme.com,=1+1\n,Ben\n";
  const sent = await server.call("/v2/imports?file_name=fair%20list.csv", {
    key,
    raw,
    headers: { "content-type": "text/csv" },
  });
  const { id } = sent.body.import as Import;
  await server.call(`/v2/imports/${id}/preview`, { key, body: {} });
  await expect
    .poll(async () => ((await server.call(`/v2/imports/${id}`, { key })).body.import as Import).state)
    .toBe("ready");
  const response = await fetch(`${server.url()}/v2/imports/${id}/rows?format=csv`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toContain('filename="fair list result.csv"');
  expect(await response.text()).toBe(
    [
      "row,outcome,record,changes,reasons,Email,First Name",
      '2,created,,"first_name, job",,anna@acme.com,\'=1+1'.replace('"first_name, job"', "first_name"),
      "3,skipped,,,No e-mail or LinkedIn.,,Ben",
      "",
    ].join("\n"),
  );
});
