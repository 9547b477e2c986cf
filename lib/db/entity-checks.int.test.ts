/** Rows of the tables whose entities are checked once a statement: none is about an entity that is not there. */
import { describe, expect, test } from "vitest";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { CHECKED_TABLES, countAbout, insertAbout } from "#lib/testing/about.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { sql } from "./statement.ts";
import { withErasure, withoutWorkspace, withWorkspace } from "./transaction.ts";

const addPeople = sql(
  "test_checks_people",
  "INSERT INTO entities (workspace_id, id, type) SELECT $workspace, id, 'person' FROM unnest($1::uuid[]) AS t(id) RETURNING NULL",
);
const removePeople = sql(
  "test_checks_remove",
  "DELETE FROM entities WHERE workspace_id = $workspace AND id = ANY($1::uuid[])",
);
const removeWorkspace = sql("test_checks_workspace", "DELETE FROM workspaces WHERE id = $1");
const setting = sql("test_checks_setting", "SELECT rapport_workspace() AS workspace");

/** A workspace with people, and rows about each of them and about the workspace in every table. */
async function fill(people: number): Promise<{ id: WorkspaceId; ids: string[] }> {
  const { id } = await createTestWorkspace();
  const ids = Array.from({ length: people }, () => newId());
  await withWorkspace(id, async (db) => {
    await db.query(addPeople, [ids]);
    for (const table of CHECKED_TABLES) await db.query(insertAbout(table), [[id, ...ids]]);
  });
  return { id, ids };
}

const each = <Value>(value: Value): Value[] => CHECKED_TABLES.map(() => value);

describe.each(CHECKED_TABLES)("a row of %s", (table) => {
  const insert = (id: WorkspaceId, entities: string[]) =>
    withWorkspace(id, (db) => db.query(insertAbout(table), [entities]));
  const refused = { code: "23503", table };

  test("is refused for an unknown entity, beside known ones too", async () => {
    const { id, ids } = await fill(2);
    await expect(insert(id, [newId()])).rejects.toMatchObject(refused);
    await expect(insert(id, [...ids, newId()])).rejects.toMatchObject(refused);
    expect(await countAbout(id)).toEqual(each(3));
  });

  test("is refused for an entity of another tenant, by the superuser too", async () => {
    const [own, other] = [await fill(1), await fill(1)];
    await expect(insert(own.id, other.ids)).rejects.toMatchObject(refused);
    const text = insertAbout(table).text.replace("$workspace", "$2");
    await expect(inspect(text, [other.ids, own.id])).rejects.toMatchObject(refused);
    expect(await countAbout(own.id)).toEqual(each(2));
  });

  test("is taken for an entity of the same transaction", async () => {
    const { id } = await createTestWorkspace();
    const person = newId();
    await withWorkspace(id, async (db) => {
      await db.query(addPeople, [[person]]);
      await db.query(insertAbout(table), [[person]]);
    });
    expect((await countAbout(id)).reduce((sum, rows) => sum + rows)).toBe(1);
  });

  test("stays with its entity, whose id stays too", async () => {
    const { id, ids } = await fill(1);
    const move = `UPDATE ${table} SET entity_id = $2 WHERE workspace_id = $1 AND entity_id = $3`;
    await expect(inspect(move, [id, id, ids[0]])).rejects.toThrow(/ids never change|append-only/);
    await expect(inspect("UPDATE entities SET id = $2 WHERE id = $1", [ids[0], newId()])).rejects.toMatchObject({
      code: "23001",
    });
  });
});

describe("an entity", () => {
  test("takes its rows along, and those of others stay", async () => {
    const [{ id, ids }, other] = [await fill(3), await fill(3)];
    await withErasure(id, (db) => db.query(removePeople, [ids.slice(1)]));
    expect(await countAbout(id)).toEqual(each(2));
    expect(await countAbout(other.id)).toEqual(each(4));
  });

  test("and its rows stay where evidence may not be deleted", async () => {
    const { id, ids } = await fill(2);
    await expect(withWorkspace(id, (db) => db.query(removePeople, [ids]))).rejects.toThrow(
      "observations is append-only",
    );
    await expect(inspect("TRUNCATE entities CASCADE")).rejects.toThrow("append-only");
    expect(await countAbout(id)).toEqual(each(3));
  });

  test("is one of thousands that go at once", async () => {
    const { id, ids } = await fill(5_000);
    await withErasure(id, (db) => db.query(removePeople, [ids]));
    expect(await countAbout(id)).toEqual(each(1));
  });
});

describe("a workspace", () => {
  test("takes the rows of all its entities along, whatever the workspace of the transaction is", async () => {
    const [own, other, third] = [await fill(3), await fill(3), await fill(3)];
    const remove = (id: string) =>
      inspect(`SET LOCAL rapport.erasing = 'on'; DELETE FROM workspaces WHERE id = '${id}'`);
    await withErasure(own.id, (db) => db.query(removeWorkspace, [own.id]));
    await withErasure(own.id, async (db) => {
      await db.query(removeWorkspace, [other.id]);
      expect(await db.query(setting)).toEqual([{ workspace: own.id }]);
    });
    await remove(third.id);
    for (const { id } of [own, other, third]) {
      expect(await countAbout(id)).toEqual(each(0));
      expect(await inspect("SELECT FROM entities WHERE workspace_id = $1", [id])).toEqual([]);
    }
  });

  test("goes without any workspace set, together with others", async () => {
    const [one, two] = [await fill(2), await fill(2)];
    await withoutWorkspace(async (db) => {
      await db.query(sql("", "SET LOCAL rapport.erasing = 'on'"));
      await db.query(sql("", "DELETE FROM workspaces WHERE id = ANY($1)"), [[one.id, two.id]]);
      expect(await db.query(setting)).toEqual([{ workspace: null }]);
    });
    for (const { id } of [one, two]) expect(await countAbout(id)).toEqual(each(0));
  });
});
