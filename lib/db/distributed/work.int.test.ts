/** Transactions and reads in the form for a database of several machines, here on one machine, where it also works. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { database } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Db } from "../handle.ts";
import { loginOf } from "../login.ts";
import { closePool, getPool } from "../pool.ts";
import { sql } from "../statement.ts";
import { withErasure, withoutWorkspace, withProof, withWorkspace } from "../transaction.ts";
import { abilities, noteAbilities, ofOneMachine, ofSeveralMachines } from "./abilities.ts";
import { distribute } from "./distribute.ts";

const names = sql(
  "test_distributed_names",
  "SELECT id FROM entities WHERE workspace_id = $workspace OR true ORDER BY id",
);
const add = sql(
  "test_distributed_add",
  "INSERT INTO entities (workspace_id, id, type) VALUES ($workspace, $1, 'person') RETURNING id",
);
const fail = sql("test_distributed_fail", "SELECT 1 / ($1::int - 1)");
const settings = sql(
  "test_distributed_settings",
  "SELECT current_setting('rapport.workspace_id', true) AS workspace, current_setting('transaction_read_only') AS only",
);

describe("with its tenants distributed", () => {
  beforeAll(async () => {
    await getPool();
    noteAbilities(ofSeveralMachines);
  });
  afterAll(closePool);

  test("work reads and writes under its own workspace, one after the other and at once", async () => {
    expect(abilities()).toBe(ofSeveralMachines);
    const ids = (await Promise.all([createTestWorkspace(), createTestWorkspace()])).map(({ id }) => id);
    const read = (db: Db) => db.query<{ id: string }>(names);
    const rounds = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const id = ids[index % 2] as (typeof ids)[0];
        const person = newId();
        const written = await withWorkspace(id, async (db) => {
          await db.query(add, [person]);
          return read(db);
        });
        const seen = await withWorkspace(id, read, { readOnly: true });
        const has = (rows: { id: string }[], wanted: string) => rows.some((row) => row.id === wanted);
        const other = ids[(index + 1) % 2] as string;
        return [has(written, person), has(seen, person), has(seen, id), has(seen, other)];
      }),
    );
    expect(rounds).toEqual(rounds.map(() => [true, true, true, false]));
  });

  test("reads write nothing, and leave nothing on the connection", async () => {
    const { id } = await createTestWorkspace();
    const write = withWorkspace(id, (db) => db.query(add, [newId()]), { readOnly: true });
    await expect(write).rejects.toThrow("read-only transaction");
    const read = withWorkspace(id, (db) => db.query(settings), { readOnly: true });
    await expect(read).resolves.toEqual([{ workspace: id, only: "on" }]);
    const after = await Promise.all(
      Array.from({ length: 20 }, () => withoutWorkspace((db) => db.query<{ workspace: string | null }>(settings))),
    );
    expect(after.flat().map(({ workspace }) => workspace || null)).toEqual(after.map(() => null));
  });

  test("a failed read fails its work, and the next work gets a connection", async () => {
    const { id } = await createTestWorkspace();
    const both = (db: Db) => Promise.allSettled([db.query(names), db.query(fail, [1])]);
    await expect(withWorkspace(id, both, { readOnly: true })).rejects.toThrow("division by zero");
    await expect(withWorkspace(id, (db) => db.query(names), { readOnly: true })).resolves.toHaveLength(1);
  });

  test("Prisma, proofs and erasure run under their settings too", async () => {
    const { id } = await createTestWorkspace();
    const prisma = (db: Db) => db.prisma.entity.findMany({ select: { id: true } });
    await expect(withWorkspace(id, prisma, { readOnly: true })).resolves.toEqual([{ id }]);
    const user = newId();
    await expect(withProof({ userId: user }, (db) => db.query(sql("", "SHOW rapport.user_id")))).resolves.toEqual([
      { "rapport.user_id": user },
    ]);
    const erasing = withErasure(id, (db) => db.query(sql("", "SHOW rapport.erasing")));
    await expect(erasing).resolves.toEqual([{ "rapport.erasing": "on" }]);
  });
});

test("a database without the engine is not distributed, and says so", async () => {
  await expect(loginOf(database.url)).resolves.toMatchObject({ abilities: ofOneMachine, bypasses: false });
  await expect(distribute({ url: database.url })).rejects.toThrow("no extension citus");
});
