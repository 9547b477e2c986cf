import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { attempt, type Db } from "./handle.ts";
import { getPool } from "./pool.ts";
import { sql } from "./statement.ts";
import { withoutWorkspace, withWorkspace } from "./transaction.ts";

const ask = sql("test_settings", "SELECT rapport_workspace() AS workspace, pg_backend_pid() AS pid");
const setting = async (db: Db) => (await db.query<{ workspace: string | null; pid: number }>(ask))[0];

describe("the pool", () => {
  test("never carries a workspace from one transaction into another", async () => {
    const workspaces = await Promise.all(Array.from({ length: 5 }, () => createTestWorkspace()));
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    const wrong: string[] = [];
    const pids = new Set<number>();
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const expected = index % 6 === 5 ? null : workspaces[index % 6]?.id;
        const work = async (db: Db) => {
          for (let step = 0; step < 3; step++) {
            const seen = await setting(db);
            pids.add(seen?.pid ?? 0);
            if (seen?.workspace !== expected) wrong.push(`${index}: ${seen?.workspace} instead of ${expected}`);
            await pause();
          }
          if (index % 7 === 3) throw new Error("this one fails");
        };
        const done = expected
          ? withWorkspace(workspaces[index % 6]?.id as never, work, { readOnly: index % 2 === 0 })
          : withoutWorkspace(work);
        await done.catch((error: Error) => expect(error.message).toBe("this one fails"));
      }),
    );
    expect(wrong).toEqual([]);
    expect(pids.size).toBeGreaterThan(1);
    const pool = await getPool();
    expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]);
  });

  test("survives a connection that breaks in the middle of a transaction: that transaction fails, the next does not", async () => {
    const { id } = await createTestWorkspace();
    const broken = withWorkspace(id, async (db) => {
      const seen = await setting(db);
      await inspect("SELECT pg_terminate_backend($1)", [seen?.pid]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return setting(db);
    });
    await expect(broken).rejects.toThrow();
    await expect(withWorkspace(id, setting)).resolves.toMatchObject({ workspace: id });
  });

  test("a transaction that a statement aborted fails with that statement's error, whichever answer comes first", async () => {
    const { id } = await createTestWorkspace();
    const divide = sql("test_divide", "SELECT 1 / $1::int");
    const slowly = async (answer: Promise<unknown>) => {
      const [settled] = await Promise.allSettled([answer]);
      for (let turn = 0; turn < 10; turn++) await null;
      if (settled.status === "rejected") throw settled.reason;
    };
    const failing = withWorkspace(id, (db) => Promise.all([slowly(db.query(divide, [0])), setting(db)]));
    await expect(failing).rejects.toThrow(/division by zero/);
    const inside = withWorkspace(id, (db) =>
      attempt(db, (inner) => Promise.all([slowly(inner.query(divide, [0])), setting(inner)])).catch(
        (error: Error) => error,
      ),
    );
    expect(await inside).toMatchObject({ message: "division by zero" });
    const reading = withWorkspace(
      id,
      (db) => Promise.all([db.prisma.workspace.count(), slowly(db.query(divide, [0])), setting(db)]),
      { readOnly: true },
    );
    await expect(reading).rejects.toThrow(/division by zero/);
  });

  test("a failed deferred statement fails its transaction with its own error, and no callback for the commit runs", async () => {
    const { id } = await createTestWorkspace();
    const told: string[] = [];
    const rename = sql("test_rename_entity", "UPDATE entities SET status = 'archived' WHERE id = $1");
    const divide = sql("test_divide", "SELECT 1 / $1::int");
    const failing = withWorkspace(id, async (db) => {
      db.afterCommit(() => told.push("failed"));
      void db.defer(rename, [id]);
      void db.defer(divide, [0]);
      return "done";
    });
    await expect(failing).rejects.toThrow("division by zero");
    const later = withWorkspace(id, async (db) => {
      void db.defer(divide, [0]);
      return db.query(divide, [1]); // refused because the transaction has ended
    });
    await expect(later).rejects.toThrow("division by zero");
    await withWorkspace(id, async (db) => {
      db.afterCommit(() => told.push("committed"));
      void db.defer(divide, [1]);
    });
    expect(told).toEqual(["committed"]);
    expect(await inspect("SELECT status::text FROM entities WHERE id = $1", [id])).toEqual([{ status: "active" }]);
  });

  test("survives the loss of every idle connection", async () => {
    const { id } = await createTestWorkspace();
    await withWorkspace(id, setting);
    await inspect(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    const pool = await getPool();
    await expect.poll(() => pool.totalCount).toBe(0); // it has heard of each
    await expect(withWorkspace(id, setting)).resolves.toMatchObject({ workspace: id });
  });

  test("gives a connection back after a failed read, a failed write and a refused setting", async () => {
    const { id } = await createTestWorkspace();
    const nonsense = sql("test_nonsense", "SELECT 1 / 0");
    await expect(withWorkspace(id, (db) => db.query(nonsense), { readOnly: true })).rejects.toThrow("division by zero");
    await expect(withWorkspace(id, (db) => db.query(nonsense))).rejects.toThrow("division by zero");
    await expect(withWorkspace("x' OR '1" as never, setting)).rejects.toThrow("not a plain id");
    const swallowed = withWorkspace(id, async (db) => {
      await db.query(nonsense).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow("division by zero");
    const pool = await getPool();
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
  });

  test("refuses to write in a transaction that only reads", async () => {
    const { id } = await createTestWorkspace();
    const insert = sql(
      "test_insert",
      "INSERT INTO entities (workspace_id, id, type) VALUES (rapport_workspace(), $1, 'person')",
    );
    await expect(withWorkspace(id, (db) => db.query(insert, [newId()]), { readOnly: true })).rejects.toThrow(
      "read-only",
    );
  });
});

describe("an attempt inside a transaction", () => {
  const rename = sql("test_rename", "UPDATE workspaces SET name = $1 WHERE id = rapport_workspace()");
  const divide = sql("test_divide", "SELECT 1 / $1::int AS whole");
  const nameOf = async (id: string) =>
    (await inspect<{ name: string }>("SELECT name FROM workspaces WHERE id = $1", [id]))[0]?.name;

  test.each<[string, (db: Db) => Promise<unknown>, RegExp]>([
    ["throws", () => Promise.reject(new Error("refused")), /refused/],
    ["fails in the database", (db) => db.query(divide, [0]), /division by zero/],
    ["fails in what it deferred", async (db) => void db.defer(divide, [0]), /division by zero/],
    [
      "throws with more under way",
      async (db) => {
        void db.defer(divide, [0]);
        throw new Error("refused");
      },
      /division by zero|refused/,
    ],
  ])("that %s is undone alone, with what it wanted done after the commit", async (_what, fails, message) => {
    const { id } = await createTestWorkspace();
    const done: string[] = [];
    await withWorkspace(id, async (db) => {
      await db.query(rename, ["before"]);
      db.afterCommit(() => done.push("before"));
      const trial = attempt(db, async (inner) => {
        await inner.query(rename, ["inside"]);
        inner.afterCommit(() => done.push("inside"));
        await fails(inner);
      });
      await expect(trial).rejects.toThrow(message);
      db.afterCommit(() => done.push("after"));
    });
    expect(await nameOf(id)).toBe("before");
    expect(done).toEqual(["before", "after"]);
  });

  test("that succeeds commits with the rest, including its deferred statements", async () => {
    const { id } = await createTestWorkspace();
    const done: string[] = [];
    await withWorkspace(id, (db) =>
      attempt(db, async (inner) => {
        void inner.defer(rename, ["inside"]);
        inner.afterCommit(() => done.push("inside"));
      }),
    );
    expect([await nameOf(id), done]).toEqual(["inside", ["inside"]]);
  });
});
