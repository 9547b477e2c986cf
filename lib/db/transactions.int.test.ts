import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { listChanges } from "#lib/domain/knowledge/changes/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { migrate } from "./migrate.ts";

const EARLIER = 5_000_000_000;

test("the feed goes on where a dump is restored into another cluster, whose transactions have low numbers", async () => {
  const { id, caller } = await createTestWorkspace();
  const observe = (value: string) =>
    recordObservations.execute(caller, {
      focus: "anna@acme.com",
      observations: [{ kind: "state", property: "job_title", value }],
    });
  const read = async (cursor?: string) => {
    await settled(id);
    return listChanges.execute(caller, cursor === undefined ? {} : { cursor });
  };
  const { entity_id } = await observe("CTO");
  await inspect(
    `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor, written_in)
     VALUES ($1, $2, $3, 'state', 'job_title', '"CEO"', 'test', 'observed', now(), 'test:test', $4)`,
    [id, newId(), entity_id, EARLIER],
  );
  await inspect(`COMMENT ON FUNCTION rapport_transaction() IS 'another cluster'`);
  await migrate({ url: database.adminUrl });
  const before = await read();
  expect(before.changes.at(-1)).toMatchObject({ value: "CEO", previous: "CTO" });
  await observe("Founder");
  expect((await read(before.next_cursor)).changes.map(({ value }) => value)).toEqual(["Founder"]);

  // The next start finds its own cluster and changes nothing.
  const body = () =>
    inspect(
      "SELECT proname, prosrc FROM pg_proc WHERE proname IN ('rapport_transaction', 'rapport_settled') ORDER BY 1",
    );
  const sources = await body();
  expect(JSON.stringify(sources)).toContain(String(EARLIER + 1));
  await migrate({ url: database.adminUrl });
  expect(await body()).toEqual(sources);
});

test("the owner of the tables may ask which cluster this is", async () => {
  const [row] = await inspect("SELECT has_function_privilege('public', 'pg_control_system()', 'execute') AS may");
  expect(row).toEqual({ may: true });
});
