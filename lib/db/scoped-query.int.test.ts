import type pg from "pg";
import { describe, expect, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Db } from "./handle.ts";
import { getPool } from "./pool.ts";
import { readScoped } from "./scoped-query.ts";
import { sql } from "./statement.ts";
import { withWorkspace } from "./transaction.ts";

const ask = sql("test_scope", "SELECT rapport_workspace() AS workspace, pg_backend_pid() AS pid");
const names = sql("test_workspaces_seen", "SELECT id FROM entities");
const change = sql(
  "test_rename",
  "INSERT INTO entities (workspace_id, id, type) VALUES ($1, $2, 'person') RETURNING id",
);
/** A single statement. */
const readOne = async <Row extends object>(client: pg.PoolClient, id: string, statement: Statement) =>
  (
    await readScoped({ client, operation: "test", workspaceId: id, placed: null }, [{ ...statement, values: [] }])
  )[0] as Row[];
const reading = <T>(id: string, work: (db: Db) => Promise<T>) => withWorkspace(id as never, work, { readOnly: true });

describe("a statement that only reads", () => {
  test("leaves nothing of its workspace on the connection", async () => {
    const { id } = await createTestWorkspace();
    const client = await (await getPool()).connect();
    try {
      await expect(readOne(client, id, ask)).resolves.toMatchObject([{ workspace: id }]);
      await expect(client.query("SELECT rapport_workspace() AS workspace")).resolves.toMatchObject({
        rows: [{ workspace: null }],
      });
      await expect(client.query("SELECT id FROM entities")).resolves.toMatchObject({ rows: [] });
      await expect(client.query("SHOW transaction_read_only")).resolves.toMatchObject({
        rows: [{ transaction_read_only: "off" }],
      });
    } finally {
      client.release();
    }
  });

  test("sees its own workspace, however the statements of several are interleaved on one connection", async () => {
    const ids = (await Promise.all([createTestWorkspace(), createTestWorkspace()])).map(({ id }) => id);
    const client = await (await getPool()).connect();
    try {
      const turns = Array.from({ length: 60 }, (_, index) => ids[index % 2] as string);
      const seen = await Promise.all(turns.map((id) => readOne<{ id: string }>(client, id, names)));
      expect(seen.map((rows) => rows.map((row) => row.id))).toEqual(turns.map((id) => [id]));
    } finally {
      client.release();
    }
  });

  test("is sent with those of its turn, each answered with its own rows", async () => {
    const { id } = await createTestWorkspace();
    const numbers = sql("test_numbers", "SELECT n, $2::text AS word FROM generate_series(1, $1::int) AS n");
    const nothing = sql("test_nothing", "SELECT id FROM entities WHERE false");
    for (let round = 0; round < 3; round++) {
      const seen = await reading(id, async (db) => {
        const first = await Promise.all([
          db.query(numbers, [2, "a"]),
          db.query(nothing),
          db.query(sql("", "SELECT rapport_workspace() AS workspace")),
          db.query(numbers, [1, "b"]),
        ]);
        return [...first, await db.query(names)];
      });
      expect(seen).toEqual([
        [
          { n: 1, word: "a" },
          { n: 2, word: "a" },
        ],
        [],
        [{ workspace: id }],
        [{ n: 1, word: "b" }],
        [{ id }],
      ]);
    }
  });

  test("is refused when it writes, and the next one is answered", async () => {
    const { id } = await createTestWorkspace();
    const person = newId();
    await expect(reading(id, (db) => db.query(change, [id, person]))).rejects.toThrow(/read-only transaction/);
    await expect(reading(id, (db) => db.query(ask))).resolves.toMatchObject([{ workspace: id }]);
    await expect(inspect("SELECT count(*)::int AS n FROM entities WHERE id = $1", [person])).resolves.toMatchObject([
      { n: 0 },
    ]);
  });

  test("may be unnamed or without values", async () => {
    const { id } = await createTestWorkspace();
    await expect(reading(id, (db) => db.query(sql("", "SELECT rapport_workspace() AS workspace")))).resolves.toEqual([
      { workspace: id },
    ]);
    await expect(reading(id, (db) => db.query(sql("", "SELECT $1::text AS text"), ["a"]))).resolves.toEqual([
      { text: "a" },
    ]);
  });

  test("reports an error in its text, and the connection can be used afterwards", async () => {
    const { id } = await createTestWorkspace();
    const wrong = sql("test_wrong", "SELECT no_such_column FROM entities");
    for (const _ of [1, 2]) await expect(reading(id, (db) => db.query(wrong))).rejects.toThrow(/no_such_column/);
    await expect(reading(id, (db) => db.query(ask))).resolves.toMatchObject([{ workspace: id }]);
  });

  test("may come before and after Prisma's reads", async () => {
    const { id } = await createTestWorkspace();
    const seen = await reading(id, async (db) => {
      const before = await db.query<{ workspace: string }>(ask);
      const entities = await db.prisma.entity.findMany({ select: { id: true } });
      const after = await db.query<{ workspace: string }>(ask);
      return [before[0]?.workspace, entities, after[0]?.workspace];
    });
    expect(seen).toEqual([id, [{ id }], id]);
  });

  test("fails alone when its connection breaks", async () => {
    const { id } = await createTestWorkspace();
    const broken = reading(id, async (db) => {
      const [seen] = await db.query<{ pid: number }>(ask);
      await inspect("SELECT pg_terminate_backend($1)", [seen?.pid]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return db.query(ask);
    });
    await expect(broken).rejects.toThrow();
    await expect(reading(id, (db) => db.query(ask))).resolves.toMatchObject([{ workspace: id }]);
  });
});
