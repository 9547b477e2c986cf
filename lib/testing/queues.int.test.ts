/** What takes from a queue is planned while the queue is empty, and a connection keeps that plan until the table is analysed. */
import { describe, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { dropEvents, takeEvents } from "#lib/domain/integrations/triggers/queries/events.ts";
import { claimToEmbed } from "#lib/domain/knowledge/notes/queries/vectors.ts";
import { takeQueued } from "#lib/domain/knowledge/scoring/queries.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const MANY = 5_000;

type Queue = { table: string; statement: string; take: (db: Db) => Promise<number>; fill: string };

const events = `INSERT INTO outbox (workspace_id, type, entity_id, at)
  SELECT $workspace, 'contact.created', id, now() FROM entities WHERE workspace_id = $workspace AND type = 'person'`;

const queues: Queue[] = [
  {
    table: "score_queue",
    statement: "score_queue_take",
    take: async (db) => (await takeQueued(db, MANY)).length,
    fill: `INSERT INTO score_queue (workspace_id, entity_id)
      SELECT $workspace, id FROM entities WHERE workspace_id = $workspace AND type = 'person'`,
  },
  { table: "outbox", statement: "outbox_take", take: async (db) => (await takeEvents(db, MANY)).length, fill: events },
  { table: "outbox", statement: "outbox_drop", take: (db) => dropEvents(db, MANY), fill: events },
  {
    table: "note_embedding_queue",
    statement: "note_embedding_claim",
    take: async (db) => (await claimToEmbed(db, MANY)).length,
    fill: `INSERT INTO note_embedding_queue (workspace_id, note_id, due_at)
      SELECT workspace_id, id, now() - interval '1 minute' FROM notes WHERE workspace_id = $workspace
      ON CONFLICT (workspace_id, note_id) DO UPDATE SET due_at = excluded.due_at`,
  },
];

const people = sql(
  "",
  `INSERT INTO entities (workspace_id, id, type) SELECT $workspace, gen_random_uuid(), 'person' FROM generate_series(1, ${MANY})`,
);
const notes = sql(
  "",
  `INSERT INTO notes (workspace_id, id, entity_id, type, date, date_only, content, source, actor, created_at)
   SELECT $workspace, gen_random_uuid(), id, 'note', now(), false, 'a note', 'api', 'test', now()
   FROM entities WHERE workspace_id = $workspace AND type = 'person'`,
);

type Node = { "Node Type": string; "Actual Loops": number; Plans?: Node[] };

const nodesIn = (node: Node): string[] => [
  `${node["Node Type"]} ${node["Actual Loops"]}`,
  ...(node.Plans ?? []).flatMap(nodesIn),
];

/** The nodes of the plan that the connection keeps, each with how often it was run. */
async function run(db: Db, workspaceId: WorkspaceId, statement: string): Promise<string[]> {
  const explained = sql("", `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${statement} (${MANY}, '${workspaceId}')`);
  const rows = await db.query<{ "QUERY PLAN": { Plan: Node }[] }>(explained);
  return rows.flatMap((row) => row["QUERY PLAN"]).flatMap(({ Plan }) => nodesIn(Plan));
}

describe.each(queues)("$statement, planned while $table is empty,", ({ table, statement, take, fill }) => {
  test(`finds what to take once, and takes ${MANY} within seconds`, async () => {
    const { id } = await createTestWorkspace();
    await inspect(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    await inspect(`ANALYZE ${table}`);
    await withWorkspace(id, async (db) => {
      await db.query(sql("", "SET LOCAL plan_cache_mode = force_generic_plan"));
      await take(db);
      await db.query(people);
      await db.query(notes);
      await db.query(sql("", fill));
      const nodes = await run(db, id, statement);
      expect(nodes).toContain("Limit 1");
      expect(nodes.filter((node) => /^(Limit|LockRows)/.test(node) && !node.endsWith(" 1"))).toEqual([]);
      await db.query(sql("", fill));
      const started = performance.now();
      expect(await take(db)).toBe(MANY);
      expect(performance.now() - started).toBeLessThan(30_000);
    });
  });
});
