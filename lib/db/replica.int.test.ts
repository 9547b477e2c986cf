/**
 * Which database answers a read: here the replica is the database itself, which has everything, or it is unreachable.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { newId } from "#lib/core/ids.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { atPosition, formatPosition, parsePosition } from "#lib/core/position.ts";
import { freePort } from "#lib/db/embedded/launch.ts";
import { implement } from "#lib/domain/implement.ts";
import { answer, byApiKey } from "#lib/http/answer.ts";
import type { Exchange } from "#lib/http/exchange.ts";
import { operations } from "#lib/registry.ts";
import { runShutdown } from "#lib/settings/boot.ts";
import { bootWith, database } from "#lib/testing/database.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Db } from "./handle.ts";
import { closePool } from "./pool.ts";
import { closeReplica } from "./replica.ts";
import { sql } from "./statement.ts";
import { withWorkspace } from "./transaction.ts";

const whose = sql(
  "test_replica_whose",
  "SELECT current_setting('application_name') AS by, count(*)::int AS seen FROM entities WHERE workspace_id = $workspace",
);
const add = sql(
  "test_replica_add",
  "INSERT INTO entities (workspace_id, id, type) VALUES ($workspace, $1, 'person') RETURNING id",
);

const read = (id: TestWorkspace["id"], mayLag = true) =>
  withWorkspace(id, async (db) => (await db.query<{ by: string; seen: number }>(whose))[0], { readOnly: true, mayLag });
const write = (id: TestWorkspace["id"]) => withWorkspace(id, (db) => db.query(add, [newId()]));
const FAR = parsePosition("FFFFFFFF/0");

let workspace: TestWorkspace;
const withReplica = async (url: string) => {
  await closeReplica();
  await closePool();
  bootWith({ DATABASE_URL: database.url, DATABASE_REPLICA_URL: url });
  workspace = await createTestWorkspace();
};
afterEach(async () => {
  await runShutdown();
  await closePool();
  bootWith();
});

describe("with a replica that has everything", () => {
  beforeEach(() => withReplica(database.url));

  test("a write returns its position, and the replica answers callers who have seen that", async () => {
    const written = await atPosition(null, () => write(workspace.id));
    expect(written.seen).not.toBeNull();
    const { result, seen } = await atPosition(written.seen, () => read(workspace.id));
    expect(result).toEqual({ by: "rapport-replica", seen: 2 });
    expect(seen).toBe(written.seen);
  });

  test("the primary answers callers who send no position, and returns one", async () => {
    const { result, seen } = await atPosition(null, () => read(workspace.id));
    expect(result?.by).toBe("rapport");
    expect(seen).not.toBeNull();
    expect((await read(workspace.id))?.by).toBe("rapport"); // outside of any request
  });

  test("the primary answers when the replica is not far enough", async () => {
    const { result } = await atPosition(FAR, () => read(workspace.id));
    expect(result).toEqual({ by: "rapport", seen: 1 });
    // That does not stop the use of the replica.
    expect((await atPosition(0n, () => read(workspace.id))).result?.by).toBe("rapport-replica");
  });

  test("the primary answers reads that may not lag, and those that use Prisma", async () => {
    expect((await atPosition(0n, () => read(workspace.id, false))).result?.by).toBe("rapport");
    const both = async (db: Db) => ({
      ids: await db.prisma.entity.findMany({ select: { id: true } }),
      by: await db.query<{ by: string }>(whose),
    });
    const { result } = await atPosition(0n, () => withWorkspace(workspace.id, both, { readOnly: true, mayLag: true }));
    expect(result.ids).toEqual([{ id: workspace.id }]);
    expect(result.by[0]?.by).toBe("rapport");
  });

  test("an operation is answered by it, but for one that may not lag", async () => {
    const contract = defineOperation({
      ...{ name: "tryReplica", tag: "Things", summary: "An operation of a test", surface: "public", scope: "read" },
      http: { method: "GET", path: "/v2/things" },
      input: z.strictObject({}),
      output: z.strictObject({ by: z.string() }),
      example: { input: {}, output: { by: "rapport" } },
    });
    const answeredBy = async (options: { transaction?: "primary" }) => {
      const operation = implement(
        contract,
        async ({ db }) => ({ by: (await db.query<{ by: string }>(whose))[0]?.by ?? "nobody" }),
        options,
      );
      return (await atPosition(0n, () => operation.execute(workspace.caller, {}))).result;
    };
    expect(await answeredBy({})).toEqual({ by: "rapport-replica" });
    expect(await answeredBy({ transaction: "primary" })).toEqual({ by: "rapport" });
  });

  test("work that catches a failure of the replica is run again", async () => {
    const tolerant = async (db: Db) => {
      const [one] = await db.query<{ by: string }>(whose).catch(() => [{ by: "nobody" }]);
      return one?.by;
    };
    const { result } = await atPosition(FAR, () =>
      withWorkspace(workspace.id, tolerant, { readOnly: true, mayLag: true }),
    );
    expect(result).toBe("rapport");
  });

  test("an error of the work itself is thrown once, and a refused write stays refused", async () => {
    let begun = 0;
    const fails = () =>
      withWorkspace(
        workspace.id,
        async (db) => {
          begun++;
          await db.query(whose);
          throw new Error("its own");
        },
        { readOnly: true, mayLag: true },
      );
    await expect(atPosition(0n, fails)).rejects.toThrow("its own");
    expect(begun).toBe(1);
    const writes = () =>
      withWorkspace(workspace.id, (db) => db.query(add, [newId()]), { readOnly: true, mayLag: true });
    await expect(atPosition(0n, writes)).rejects.toThrow("read-only transaction");
  });

  test("the position is sent in a header, and for browsers in a cookie of their own addresses", async () => {
    const key = await workspace.key();
    const list = operations.find(({ contract }) => contract.name === "listPeople");
    const ask = (headers: Record<string, string>, path = "/v2/people") =>
      answer(
        list as never,
        {
          method: "GET",
          path,
          query: "",
          params: {},
          ip: "127.0.0.1",
          header: (name: string) => ({ authorization: `Bearer ${key}`, ...headers })[name],
          body: async () => Buffer.alloc(0),
          async *stream() {},
          over: () => new AbortController().signal,
        } satisfies Exchange,
        byApiKey,
      );
    const first = await ask({});
    expect(first.status).toBe(200);
    const position = first.headers["rapport-position"] as string;
    expect(parsePosition(position)).not.toBeNull();
    expect(first.headers).not.toHaveProperty("Set-Cookie");
    expect((await ask({ "rapport-position": "0/1" })).headers["rapport-position"]).toBe("0/1"); // by the replica
    expect((await ask({ "rapport-position": "nonsense" })).headers["rapport-position"]).not.toBe("nonsense");
    const inBrowser = await ask({ cookie: `a=b; rapport_position=${position}` }, "/api/app/x/v2/people");
    expect(inBrowser.headers["Set-Cookie"]).toMatch(/^rapport_position=[0-9A-F]+\/[0-9A-F]+; Path=\/; .*HttpOnly/);
    expect(inBrowser.headers["rapport-position"]).toBe(formatPosition(parsePosition(position) as bigint));
  });
});

test("with a replica that is away, the primary answers, and the replica is tried again only after a while", async () => {
  await withReplica(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`);
  for (let index = 0; index < 3; index++)
    expect((await atPosition(0n, () => read(workspace.id))).result).toEqual({ by: "rapport", seen: 1 });
});

test("without a replica no position is read or returned", async () => {
  workspace = await createTestWorkspace();
  const { result } = await atPosition(0n, () => read(workspace.id));
  expect(result?.by).toBe("rapport");
});
