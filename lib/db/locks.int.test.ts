/** Which locks wait for which: the table of lock classes, on a real database. */
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { asFault } from "#lib/core/unavailable.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { administer } from "#lib/testing/postgres.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { attempt, type Db } from "./handle.ts";
import { LOCKS, type TransactionLock } from "./lock-order.ts";
import { beginAgain, lock, lockConnection, tryLock } from "./locks.ts";
import { readMigrations } from "./migrate.ts";
import { sql } from "./statement.ts";
import { withProof, withWorkspace } from "./transaction.ts";

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

describe("the order in which locks are waited for", () => {
  /** A workspace with names in order, and `hold`: another transaction with a lock, until it is let go. */
  async function setUp() {
    const { id } = await createTestWorkspace();
    const [first, second] = [newId(), newId()].sort() as [string, string];
    async function hold(of: TransactionLock, name: string) {
      const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const done = withWorkspace(id, async (db) => {
        await lock(db, of, [name]);
        held.resolve();
        await letGo.promise;
      });
      await held.promise;
      onTestFinished(() => letGo.resolve());
      return () => {
        letGo.resolve();
        return done;
      };
    }
    return { id, first, second, hold };
  }
  /** Resolves once a statement waits for a lock. */
  const waiting = () =>
    expect
      .poll(() =>
        inspect("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
      )
      .toHaveLength(1);
  const isFree = (id: Awaited<ReturnType<typeof setUp>>["id"], of: TransactionLock, name: string) =>
    withWorkspace(id, (db) => tryLock(db, of, name));

  test("a lock that is free is taken out of order", async () => {
    const { id, first, second } = await setUp();
    await withWorkspace(id, async (db) => {
      await lock(db, "entity", [second]);
      await lock(db, "entity", [first]);
      await lock(db, "identifier", [first]);
      expect(await isFree(id, "entity", first)).toBe(false);
      expect(await isFree(id, "identifier", first)).toBe(false);
    });
  });

  test.each([
    ["an earlier name", "entity"],
    ["an earlier class", "identifier"],
  ] as const)("work that needs %s late lets go of everything, waits and begins again with all", async (_what, of) => {
    const { id, first, second, hold } = await setUp();
    const letGo = await hold(of, first);
    let attempts = 0;
    let done = false;
    const working = withWorkspace(id, async (db) => {
      attempts++;
      if (attempts === 2) expect(await isFree(id, "entity", second)).toBe(false); // held from the beginning
      await lock(db, "entity", [second]);
      await lock(db, of, [first]);
      done = true;
    });
    await waiting();
    expect(await isFree(id, "entity", second)).toBe(true);
    expect({ attempts, done }).toEqual({ attempts: 1, done: false });
    await letGo();
    await working;
    expect({ attempts, done }).toEqual({ attempts: 2, done: true });
  });

  test("work that has begun to write waits for no lock, because others may wait for its rows", async () => {
    const { id, first, second, hold } = await setUp();
    const letGo = await hold("entity", second);
    let attempts = 0;
    const working = withWorkspace(id, async (db) => {
      attempts++;
      await lock(db, "entity", [first]);
      void db.defer(sql("", "UPDATE workspaces SET name = 'Written' WHERE id = $workspace"));
      await lock(db, "entity", [second]);
    });
    await waiting();
    await inspect("UPDATE workspaces SET name = 'Free' WHERE id = $1", [id]);
    await letGo();
    await working;
    expect(attempts).toBe(2);
  });

  test("two that need the same locks in opposite orders, again and again, both go on", async () => {
    const { id, first, second } = await setUp();
    const deadlocks = () => inspect("SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()");
    const before = await deadlocks();
    const work = async (names: readonly string[]) => {
      for (let round = 0; round < 20; round++)
        await withWorkspace(id, async (db) => {
          for (const name of names) await lock(db, "entity", [name]);
        });
    };
    await Promise.all([work([first, second]), work([second, first]), work([second, first])]);
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // a connection reports its numbers once a second
    expect(await deadlocks()).toEqual(before);
  });

  test("a look-up by proof that the database ended for a deadlock is made again", async () => {
    const users = sql("", "SELECT FROM users LIMIT 1");
    const workspaces = sql("", "SELECT FROM workspaces LIMIT 1");
    let looks = 0;
    await administer(database.url, async (migration) => {
      await migration.query("BEGIN");
      await migration.query("LOCK TABLE workspaces");
      const looked = withProof({ userId: newId() }, async (db) => {
        looks++;
        await db.query(users);
        return db.query(workspaces);
      });
      await waiting();
      await migration.query("LOCK TABLE users"); // until the database has ended the one that waits longer
      await migration.query("COMMIT");
      await looked;
    });
    expect(looks).toBe(2);
  });

  test("the work begins again even when it caught why", async () => {
    const { id, first, second, hold } = await setUp();
    const letGo = await hold("entity", first);
    let attempts = 0;
    const working = withWorkspace(id, async (db) => {
      attempts++;
      await lock(db, "entity", [second]);
      await attempt(db, (inner) => lock(inner, "entity", [first])).catch(() => undefined);
    });
    await waiting();
    await letGo();
    await working;
    expect(attempts).toBe(2);
  });

  test("an attempt that is undone loses its locks, and one that succeeds keeps them", async () => {
    const { id, first, second } = await setUp();
    await withWorkspace(id, async (db) => {
      const undone = attempt(db, async (inner) => {
        await lock(inner, "entity", [first]);
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await isFree(id, "entity", first)).toBe(true);
      await attempt(db, (inner) => lock(inner, "entity", [second]));
      expect(await isFree(id, "entity", second)).toBe(false);
      await lock(db, "entity", [first, second]);
      expect(await isFree(id, "entity", first)).toBe(false);
    });
  });

  test("work that loses every time is 503 with the time to wait", async () => {
    const { id, first, second } = await setUp();
    let attempts = 0;
    const working = withWorkspace(id, async (db) => {
      attempts++;
      await lock(db, "entity", [second]);
      beginAgain(db, `lost to ${first}`);
    });
    await expect(working).rejects.toMatchObject({ code: "not_ready", status: 503, extras: { retry_after: 2 } });
    expect(attempts).toBeGreaterThan(2);
  });

  test("a wait that takes longer than a statement may is 503 with the time to wait", async () => {
    const { id, first, hold } = await setUp();
    const letGo = await hold("entity", first);
    const working = withWorkspace(id, async (db) => {
      await db.query(sql("", "SET LOCAL statement_timeout = '100ms'"));
      await together([lock(db, "entity", [first]), db.query(sql("", "SELECT 1"))]);
    });
    await expect(working).rejects.toMatchObject({ code: "not_ready", status: 503, extras: { retry_after: 2 } });
    await letGo();
  });

  test("a write about a row that others delete every time is 503 with the time to wait", async () => {
    const { id, first } = await setUp();
    const count = sql("", "INSERT INTO trigger_hours VALUES ($workspace::uuid, $1, now(), 0, 0)");
    const working = withWorkspace(id, (db) => db.query(count, [first]));
    const error = await working.then(() => null).catch(asFault);
    expect(error).toMatchObject({ code: "not_ready", status: 503, extras: { retry_after: 2 } });
  });

  test("a row that others hold for as long as a statement may wait is 503 with the time to wait", async () => {
    const { id } = await createTestWorkspace();
    const change = sql("", "UPDATE workspaces SET name = name WHERE id = $workspace::uuid");
    await withWorkspace(id, async (holder) => {
      await holder.query(change);
      const waiting = withWorkspace(id, async (db) => {
        await db.query(sql("", "SET LOCAL lock_timeout = '100ms'"));
        await db.query(change);
      });
      const error = await waiting.then(() => null).catch(asFault);
      expect(error).toMatchObject({ code: "not_ready", status: 503, extras: { retry_after: 2 } });
    });
  });

  test("a statement waits less long for others than it may take", async () => {
    const { id } = await createTestWorkspace();
    const ms = (name: string) => sql("", `SELECT extract(epoch FROM current_setting('${name}')::interval)::float AS s`);
    await withWorkspace(id, async (db) => {
      const [waits, takes] = await together([
        db.query<{ s: number }>(ms("lock_timeout")),
        db.query<{ s: number }>(ms("statement_timeout")),
      ]);
      expect(waits[0]?.s).toBeGreaterThan(1); // which is when the database looks for a deadlock
      expect(waits[0]?.s).toBeLessThan(takes[0]?.s as number);
    });
  });

  test("what is held already is not asked for again", async () => {
    const { id, first, second } = await setUp();
    await withWorkspace(id, async (db) => {
      await lock(db, "entity", [first, second]);
      const asked: string[] = [];
      const watched = { locks: db.locks, query: (statement: { name: string }) => asked.push(statement.name) };
      await lock(watched as unknown as Db, "entity", [second, first]);
      expect(asked).toEqual([]);
    });
  });
});
