import { Buffer } from "node:buffer";
import pg from "pg";
import { expect, test } from "vitest";
import { withErasure } from "#lib/db/transaction.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Import } from "./contract.ts";
import { dropFiles } from "./queries/forget.ts";
import { runReading } from "./service/run.ts";
import { createImport } from "./service.ts";

const server = useServer();

test("a file that an erasure drops while it is read says so, and not that it has no rows", async () => {
  const { id, caller } = await createTestWorkspace();
  const holder = new pg.Client({ connectionString: database.adminUrl });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE import_batches IN ACCESS EXCLUSIVE MODE");
    const made = createImport.execute(caller, { content: "Email\nanna@acme.com\n" });
    const waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'import_batches'::regclass";
    await expect.poll(async () => (await inspect(waits)).length).toBe(1);
    await withErasure(id, dropFiles);
    await holder.query("ROLLBACK");
    expect(await made).toMatchObject({
      import: { state: "failed", problem: expect.stringContaining("A person was erased while the file was read") },
    });
  } finally {
    await holder.end();
  }
});

test("a file that an erasure drops before it is whole is refused with the reason, and nothing of it stays", async () => {
  const { id, caller } = await createTestWorkspace();
  async function* pieces() {
    yield Buffer.from(`Email\n${"a".repeat(300_000)}\n`);
    await withErasure(id, dropFiles);
    yield Buffer.from("anna@acme.com\n");
  }
  await expect(createImport.allow(caller).reply({}, null, pieces())).rejects.toMatchObject({
    code: "invalid_file",
    message: expect.stringContaining("A person was erased while the file was read"),
  });
  expect(await inspect("SELECT FROM imports WHERE workspace_id = $1", [id])).toEqual([]);
  expect(await inspect("SELECT FROM import_chunks WHERE workspace_id = $1", [id])).toEqual([]);
});

test("an import whose file could not be read at once for want of the database is left to its job", async () => {
  const { id, key, caller } = await createTestWorkspace();
  const headers = { "content-type": "text/csv", "idempotency-key": "one" };
  const token = await key();
  const send = () => server.call("/v2/imports", { key: token, raw: "Email\nanna@acme.com\n", headers });
  const holder = new pg.Client({ connectionString: database.adminUrl });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE import_batches IN ACCESS EXCLUSIVE MODE");
    const first = send();
    const waits = "FROM pg_locks WHERE NOT granted AND relation = 'import_batches'::regclass";
    await expect.poll(async () => (await inspect(`SELECT ${waits}`)).length).toBe(1);
    await holder.query(`SELECT pg_terminate_backend(pid) ${waits}`);
    await holder.query("ROLLBACK");
    expect((await first).status).toBe(503);
  } finally {
    await holder.end();
  }
  const again = await send();
  const kept = await inspect<{ id: string; state: string }>("SELECT id, state FROM imports WHERE workspace_id = $1", [
    id,
  ]);
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
  expect(kept).toEqual([{ id: (again.body.import as Import).id, state: "reading" }]);
  await runReading({ caller } as JobRun, { import_id: kept[0]?.id ?? "" });
  expect(await inspect("SELECT state, rows FROM imports WHERE workspace_id = $1", [id])).toEqual([
    { state: "ready", rows: 1 },
  ]);
});
