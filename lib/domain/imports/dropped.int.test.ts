import pg from "pg";
import { expect, test } from "vitest";
import { withErasure } from "#lib/db/transaction.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { dropFiles } from "./queries/forget.ts";
import { createImport } from "./service.ts";

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
