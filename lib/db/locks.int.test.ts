/** Which locks wait for which: the table of lock classes, on a real database. */
import pg from "pg";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { database } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { LOCKS, lock, lockConnection, type TransactionLock, tryLock } from "./locks.ts";
import { readMigrations } from "./migrate.ts";
import { withWorkspace } from "./transaction.ts";

const classes = Object.entries(LOCKS);
const untilCommit = classes.filter(([, { until }]) => until === "commit").map(([name]) => name) as TransactionLock[];

describe("the table of locks", () => {
  test("gives each class its own seed", () => {
    const seeds = classes.map(([, { seed }]) => seed);
    expect(new Set(seeds).size).toBe(classes.length);
  });

  test("says what each class guards", () => {
    expect(classes.filter(([, { guards }]) => guards.length < 10)).toEqual([]);
  });

  test("is complete: no function of the database takes another lock", async () => {
    const taking = (await readMigrations()).filter(({ sql }) => /advisory_(xact_)?lock/i.test(sql));
    expect(taking.map(({ name }) => name)).toEqual([]);
  });
});

describe.each(untilCommit)("a lock of the class %s", (of) => {
  test("is held by one transaction at a time, and ends with it", async () => {
    const { id } = await createTestWorkspace();
    const name = newId();
    await withWorkspace(id, async (db) => {
      await lock(db, of, [name]);
      expect(await tryLock(db, of, name)).toBe(true); // the same holder may take it again
      expect(await withWorkspace(id, (other) => tryLock(other, of, name))).toBe(false);
    });
    expect(await withWorkspace(id, (db) => tryLock(db, of, name))).toBe(true);
  });

  test("makes others wait", async () => {
    const { id } = await createTestWorkspace();
    const name = newId();
    const order: string[] = [];
    let waiting: Promise<unknown> = Promise.resolve();
    await withWorkspace(id, async (db) => {
      await lock(db, of, [name]);
      waiting = withWorkspace(id, async (other) => {
        await lock(other, of, [newId(), name]);
        order.push("second");
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push("first");
    });
    await waiting;
    expect(order).toEqual(["first", "second"]);
  });

  test("does not block other classes or other names", async () => {
    const { id } = await createTestWorkspace();
    const name = newId();
    await withWorkspace(id, async (db) => {
      await lock(db, of, [name]);
      for (const other of untilCommit.filter((each) => each !== of))
        expect(await withWorkspace(id, (rival) => tryLock(rival, other, name)), other).toBe(true);
      expect(await withWorkspace(id, (rival) => tryLock(rival, of, newId()))).toBe(true);
    });
  });

  test(`is unique in its ${LOCKS[of].within}`, async () => {
    const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
    const name = newId();
    await withWorkspace(a.id, async (db) => {
      await lock(db, of, [name]);
      const granted = await withWorkspace(b.id, (rival) => tryLock(rival, of, name));
      expect(granted).toBe(LOCKS[of].within === "workspace");
    });
  });
});

test("locking no names takes no lock", async () => {
  const { id } = await createTestWorkspace();
  await withWorkspace(id, async (db) => {
    await lock(db, "entity", []);
    expect(await withWorkspace(id, (rival) => tryLock(rival, "entity"))).toBe(true);
  });
});

test("a lock of a connection ends with the connection", async () => {
  const open = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const [first, second] = [await open(), await open()];
  const name = newId();
  await lockConnection(first, "worker", name);
  let granted = false;
  const waiting = lockConnection(second, "worker", name).then(() => {
    granted = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(granted).toBe(false);
  await first.end();
  await waiting;
  await second.end();
});
