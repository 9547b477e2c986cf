import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { alarms } from "./alarms.ts";
import { attempt, type Db } from "./handle.ts";
import { borrow, giveBack } from "./lease.ts";
import { closePool, getPool } from "./pool.ts";
import { readScoped } from "./scoped-query.ts";
import { sql } from "./statement.ts";
import { withErasure, withoutWorkspace, withProof, withWorkspace } from "./transaction.ts";

const whose = sql("test_whose", "SELECT rapport_workspace() AS workspace");
const slow = sql("test_slow", "SELECT pg_sleep($1), rapport_workspace() AS workspace");
const fails = sql("test_fails", "SELECT 1 / 0");
const add = sql(
  "test_add_entity",
  "INSERT INTO entities (workspace_id, id, type) VALUES (rapport_workspace(), $1, 'person') RETURNING id",
);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const countOf = async (id: string) =>
  (await inspect<{ n: number }>("SELECT count(*)::int AS n FROM entities WHERE id = $1", [id]))[0]?.n;

/** Runs with a pool of one connection, so that each piece of work gets the same one. */
async function withOneConnection(run: () => Promise<void>): Promise<void> {
  await closePool();
  const pool = await getPool();
  const { max } = pool.options;
  pool.options.max = 1;
  try {
    await run();
  } finally {
    pool.options.max = max;
  }
}

type Way = [name: string, open: (id: WorkspaceId, work: (db: Db) => Promise<unknown>) => Promise<unknown>];
const read: Way = ["a read", (id, work) => withWorkspace(id, work, { readOnly: true })];
const write: Way = ["a transaction", (id, work) => withWorkspace(id, work)];
const erase: Way = ["an erasure", (id, work) => withErasure(id, work)];
const without: Way = ["a transaction without workspace", (_id, work) => withoutWorkspace(work)];
const proof: Way = ["a look-up by proof", (_id, work) => withProof({ userId: newId() }, work)];
const tried: Way = ["an attempt", (id, work) => withWorkspace(id, (db) => attempt(db, work))];
const every = [read, write, erase, without, proof, tried];

let before: typeof alarms;
beforeEach(() => {
  before = { ...alarms };
});
const since = () => ({
  late: alarms.late - before.late,
  destroyed: alarms.destroyed - before.destroyed,
  crossed: alarms.crossed - before.crossed,
});
afterEach(closePool);

describe("a handle", () => {
  test.each(every)("of %s ends with its work, whether that succeeds or fails", async (_name, open) => {
    const { id } = await createTestWorkspace();
    for (const succeeds of [true, false]) {
      let kept: Db | undefined;
      const work = async (db: Db) => {
        kept = db;
        await db.query(whose);
        if (!succeeds) throw new Error("refused");
      };
      await open(id, work).catch((error: Error) => expect(error.message).toBe("refused"));
      await expect(kept?.query(whose)).rejects.toThrow(/test_whose was asked for after the work of .* had ended/);
      await expect((async () => kept?.prisma.entity.findMany())()).rejects.toThrow(/had ended/);
      await expect((async () => kept?.afterCommit(() => undefined))()).rejects.toThrow(/had ended|nothing to commit/);
      await expect(kept?.defer(whose)).rejects.toThrow(/had ended|nothing to commit/);
    }
    expect(since()).toMatchObject({ destroyed: 0, crossed: 0 });
    expect(since().late).toBeGreaterThanOrEqual(4);
  });

  test.each(every)("of %s never sends what was gathered when its work failed", async (_name, open) => {
    const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
    await withOneConnection(async () => {
      const person = newId();
      const fails = open(a.id, async (db) => {
        const late = (async () => {
          await pause(5);
          await db.query(add, [person]);
        })();
        late.catch(() => undefined);
        db.query(whose).catch(() => undefined); // gathered in this turn, which throws
        throw new Error("refused");
      });
      const next = withWorkspace(b.id, async (db) => {
        const seen = [];
        for (let turn = 0; turn < 10; turn++) {
          seen.push(...(await db.query<{ workspace: string }>(whose)));
          await pause(2);
        }
        return new Set(seen.map(({ workspace }) => workspace));
      });
      await expect(fails).rejects.toThrow("refused");
      expect(await next).toEqual(new Set([b.id]));
      expect(await countOf(person)).toBe(0);
    });
    expect(since()).toMatchObject({ destroyed: 0, crossed: 0 });
  });

  test.each([write, erase, tried])("of %s refuses a late defer, which changes nothing else", async (_name, open) => {
    const { id } = await createTestWorkspace();
    const [kept, late] = [newId(), newId()];
    let refused: Promise<unknown> | undefined;
    const work = async (db: Db) => {
      await db.query(add, [kept]);
      db.query(slow, [0.05]).catch(() => undefined); // the end waits for this, and the defer comes meanwhile
      refused = pause(10).then(() => db.defer(add, [late]));
      refused.catch(() => undefined);
      return "done";
    };
    expect(await open(id, work)).toBe("done");
    await expect(refused).rejects.toThrow(/test_add_entity was asked for after the work of .* had ended/);
    expect([await countOf(kept), await countOf(late)]).toEqual([1, 0]);
  });

  test.each([read, write, tried])(
    "of %s gives its connection on only when what it sent is answered",
    async (_n, open) => {
      const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
      await withOneConnection(async () => {
        let answered = false;
        const fails = open(a.id, async (db) => {
          const branch = db.query<{ workspace: string }>(slow, [0.1]).then(([row]) => {
            answered = row?.workspace === a.id;
          });
          branch.catch(() => undefined);
          await pause(5);
          throw new Error("refused");
        });
        const next = withWorkspace(b.id, async (db) => [answered, await db.query(whose)], { readOnly: true });
        await expect(fails).rejects.toThrow("refused");
        expect(await next).toEqual([true, [{ workspace: b.id }]]);
      });
      expect(since()).toEqual({ late: 0, destroyed: 0, crossed: 0 });
    },
  );

  test("of a read runs Prisma after the queries of the same turn, on a new connection too", async () => {
    const { id } = await createTestWorkspace();
    await closePool();
    const seen = await withWorkspace(id, async (db) => together([db.query(whose), db.prisma.entity.findMany()]), {
      readOnly: true,
    });
    expect(seen).toMatchObject([[{ workspace: id }], [{ id }]]);
  });

  test("of Prisma is a part of the work: a running call is awaited, a later one refused", async () => {
    const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
    await withOneConnection(async () => {
      for (const readOnly of [true, false]) {
        let found: unknown;
        const fails = withWorkspace(
          a.id,
          async ({ prisma }) => {
            const asked = prisma.$queryRawUnsafe<object[]>("SELECT pg_sleep(0.3)::text, rapport_workspace() AS id");
            const branch = asked.then((rows) => {
              found = rows;
              return prisma.entity.findMany();
            });
            branch.catch(() => undefined);
            await pause(5);
            throw new Error("refused");
          },
          { readOnly },
        );
        const next = withWorkspace(b.id, (db) => db.prisma.entity.findMany({ select: { id: true } }), { readOnly });
        await expect(fails).rejects.toThrow("refused");
        expect(found).toMatchObject([{ id: a.id }]);
        expect(await next).toEqual([{ id: b.id }]);
      }
    });
    expect(since()).toEqual({ late: 2, destroyed: 0, crossed: 0 });
  });

  test("of an attempt never undoes what another attempt wrote, even in a transaction that has failed", async () => {
    const { id } = await createTestWorkspace();
    const kept = newId();
    const work = withWorkspace(id, async (db) => {
      await attempt(db, (inner) => inner.query(add, [kept]));
      await expect(db.query(fails)).rejects.toThrow("division by zero");
      await expect(attempt(db, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    });
    await expect(work).rejects.toThrow("division by zero");
    expect(await countOf(kept)).toBe(0);
  });

  test("inside an attempt cannot be used by the rest of the transaction", async () => {
    const { id } = await createTestWorkspace();
    const [kept, lost] = [newId(), newId()];
    await withWorkspace(id, async (db) => {
      let inner: Db | undefined;
      const trial = attempt(db, async (given) => {
        inner = given;
        throw new Error("refused");
      });
      await expect(trial).rejects.toThrow("refused");
      await expect(inner?.query(add, [lost])).rejects.toThrow("had ended");
      await db.query(add, [kept]);
    });
    expect([await countOf(kept), await countOf(lost)]).toEqual([1, 0]);
  });
});

describe("a connection", () => {
  test("that is given back with an open transaction or a running statement is closed", async () => {
    const pids = new Set<unknown>();
    for (const soil of ["BEGIN", "SELECT pg_sleep(0.05)"]) {
      const client = await borrow("test");
      pids.add((client as unknown as { processID: number }).processID);
      const sent = client.query(soil);
      if (soil === "BEGIN") await sent;
      giveBack(client, "test", false);
      await sent.catch(() => undefined);
    }
    const clean = await borrow("test");
    expect(pids.has((clean as unknown as { processID: number }).processID)).toBe(false);
    giveBack(clean, "test", false);
    expect(since()).toEqual({ late: 0, destroyed: 2, crossed: 0 });
  });

  test("that was changed while it was idle is not handed out", async () => {
    const { id } = await createTestWorkspace();
    const client = await borrow("test");
    giveBack(client, "test", false);
    await client.query("BEGIN");
    expect(await withWorkspace(id, (db) => db.query(whose))).toEqual([{ workspace: id }]);
    expect(since()).toEqual({ late: 0, destroyed: 1, crossed: 0 });
  });

  test("plans once only for the work that asked for it", async () => {
    const { id } = await createTestWorkspace();
    const mode = sql("test_plan_mode", "SELECT current_setting('plan_cache_mode') AS mode");
    const modeOf = async (plansOnce: boolean, fail = false) => {
      const seen: unknown[] = [];
      await withWorkspace(
        id,
        async (db) => {
          seen.push(...(await db.query(mode)));
          if (fail) await db.query(fails);
        },
        { plansOnce },
      ).catch(() => undefined);
      return seen;
    };
    await withOneConnection(async () => {
      for (const failed of [false, true]) {
        expect(await modeOf(true, failed)).toEqual([{ mode: "force_generic_plan" }]);
        expect(await modeOf(false)).toEqual([{ mode: "auto" }]);
      }
    });
  });
});

describe("an answer under another workspace", () => {
  test("is refused to a group of reads that ran inside someone else's transaction, and to that transaction", async () => {
    const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
    const person = newId();
    const disturbed = withWorkspace(b.id, async (db) => {
      await db.query(add, [person]);
      // The fault in question: a group of A is sent on the connection on which B has its transaction.
      const { client } = db as unknown as { client: Parameters<typeof giveBack>[0] };
      const group = readScoped({ client, operation: "test", workspaceId: a.id, placed: null }, [
        { ...whose, values: [] },
      ]);
      await expect(group).rejects.toThrow("its connection was under a workspace already");
      return db.query(whose);
    });
    await expect(disturbed).rejects.toThrow();
    expect(await countOf(person)).toBe(0);
    expect(since().crossed).toBeGreaterThanOrEqual(1);
  });

  test("is refused when the setting of a transaction changed, and nothing is committed", async () => {
    const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
    const person = newId();
    const change = sql("", `SELECT set_config('rapport.workspace_id', '${b.id}', true)`);
    const changed = withWorkspace(a.id, async (db) => {
      await db.query(add, [person]);
      await db.query(change);
    });
    await expect(changed).rejects.toThrow("under another workspace when it ended");
    expect(await countOf(person)).toBe(0);
    const without = withoutWorkspace((db) => db.query(change));
    await expect(without).rejects.toThrow("under another workspace when it ended");
    expect(since()).toEqual({ late: 0, destroyed: 0, crossed: 2 });
  });
});
