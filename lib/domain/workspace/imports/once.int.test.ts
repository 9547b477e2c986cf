/** Uploads that are sent again with their Idempotency-Key. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { Import } from "./contract.ts";

const server = useServer();
beforeAll(() => startWorker());
afterAll(() => stopWorker());

const FILE = "Email,First Name\nanna@acme.com,Anna\n";
/** Longer than one read before the answer. */
const LARGE = `Email,Notes\n${"anna@acme.com,about her\n".repeat(200_000)}`;

async function sender() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const send = async (raw: string, once: string, query = "file_name=list.csv") => {
    const headers = { "content-type": "text/csv", "idempotency-key": once };
    const answer = await server.call(`/v2/imports?${query}`, { key, raw, headers });
    const { import: made, error } = answer.body as { import?: Import; error?: string };
    return { status: answer.status, replayed: answer.headers.get("idempotency-replayed"), made, error };
  };
  const count = async () => {
    const [row] = await inspect<{ n: number }>("SELECT count(*)::int AS n FROM imports WHERE workspace_id = $1", [
      workspace.id,
    ]);
    return row?.n;
  };
  return { send, count, key };
}

test.each([
  ["small", FILE],
  ["large", LARGE],
])("a %s file gets its first answer again, and is kept once", async (_size, file) => {
  const { send, count } = await sender();
  const first = await send(file, "one");
  const again = await send(file, "one");
  expect([first.status, first.replayed, again.status, again.replayed]).toEqual([201, null, 201, "true"]);
  expect(again.made).toEqual(first.made);
  expect(await count()).toBe(1);
});

test("another file, or the same as something else, is refused", async () => {
  const { send, count } = await sender();
  await send(FILE, "one");
  for (const [file, query] of [
    [`${FILE}ben@acme.com,Ben\n`, "file_name=list.csv"],
    [FILE, "file_name=list.csv&kind=companies"],
  ] as const)
    expect(await send(file, "one", query)).toMatchObject({ status: 409, error: "idempotency_key_reused" });
  expect(await count()).toBe(1);
});

test("a refusal is given again, and the file can be mended under another key", async () => {
  const { send, count } = await sender();
  const broken = 'Email\n"anna@acme.com\n';
  expect(await send(broken, "one")).toMatchObject({ status: 400, error: "invalid_file", replayed: null });
  expect(await send(broken, "one")).toMatchObject({ status: 400, error: "invalid_file", replayed: "true" });
  expect(await send(FILE, "two")).toMatchObject({ status: 201 });
  expect(await count()).toBe(1);
});

test("of two at once one is kept", async () => {
  const { send, count } = await sender();
  const answers = await Promise.all([send(LARGE, "one"), send(LARGE, "one"), send(LARGE, "one")]);
  const made = answers.filter(({ status }) => status === 201);
  expect(made.filter(({ replayed }) => replayed === null)).toHaveLength(1);
  expect(new Set(made.map((answer) => answer.made?.id)).size).toBe(1);
  for (const { status, error } of answers.filter((answer) => answer.status !== 201))
    expect([status, error]).toEqual([409, "idempotency_key_in_use"]);
  expect(await count()).toBe(1);
});

test("forms are compared by their fields and the file, not by their boundary", async () => {
  const { key, count } = await sender();
  const send = () => {
    const form = new FormData();
    form.set("kind", "people");
    form.set("file", new Blob([FILE], { type: "text/csv" }), "people.csv");
    const headers = { authorization: `Bearer ${key}`, "idempotency-key": "one" };
    return fetch(`${server.url()}/v2/imports`, { method: "POST", body: form, headers });
  };
  const first = await send();
  const again = await send();
  expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"]);
  expect(await again.text()).toBe(await first.text());
  expect(await count()).toBe(1);
});

test("JSON with the text of the file counts too", async () => {
  const { key, count } = await sender();
  const send = (content: string) =>
    server.call("/v2/imports", { key, body: { content }, headers: { "idempotency-key": "one" } });
  const [first, again, other] = [await send(FILE), await send(FILE), await send(`${FILE}x@acme.com,X\n`)];
  expect([first.status, again.status, other.status]).toEqual([201, 201, 409]);
  expect(again.body).toEqual(first.body);
  expect(await count()).toBe(1);
});
