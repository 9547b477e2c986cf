/** What binding a service to its contract promises, with operations made for it. */
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { JsonText } from "#lib/core/json.ts";
import { type Contract, defineOperation } from "#lib/core/operation.ts";
import { decrypt } from "#lib/db/encrypted.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { purposeOfAnswer } from "./encrypted-columns.ts";
import { implement, implementAlone } from "./implement.ts";
import type { KeptOnce, Once } from "./once.ts";
import { operationNamed } from "./operation.ts";
import { lockIdempotencyKey } from "./queries/kept-answers.ts";
import type { Ctx } from "./service-context.ts";

const Input = z.strictObject({ n: z.int(), owner: z.string().nullish(), content: z.string().optional() });
const Output = z.strictObject({ n: z.int(), by: z.string().optional() });

const contractOf = (more: Partial<Contract<typeof Input, typeof Output>> = {}) =>
  defineOperation({
    name: "tryThings",
    tag: "Things",
    summary: "An operation of a test",
    surface: "public",
    scope: "write",
    http: { method: "POST", path: "/v2/things" },
    input: Input,
    output: Output,
    example: { input: { n: 1 }, output: { n: 1 } },
    ...more,
  });

async function start(more: Partial<Caller> = {}) {
  const workspace = await createTestWorkspace();
  const caller: Caller = { ...workspace.caller, ...more };
  const kept = () =>
    inspect<{ status: number; body: string; encrypted: boolean }>(
      "SELECT status, body, encrypted FROM idempotency WHERE workspace_id = $1",
      [workspace.id],
    );
  const noted = async () =>
    (
      await inspect<{ n: number }>(
        "SELECT count(*)::int AS n FROM entities WHERE workspace_id = $1 AND type = 'company'",
        [workspace.id],
      )
    )[0]?.n;
  return { workspace, caller, kept, noted };
}

const onceOf = (request: string, key = "key"): Once => ({ key, fingerprint: Buffer.from(request.padEnd(32, ".")) });

/** What a refusal says; the error itself when it is no refusal. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isFault(error) ? { code: error.code, ...error.extras } : error),
  );

const modes = sql(
  "test_modes",
  "SELECT current_setting('transaction_read_only') AS reads, coalesce(current_setting('rapport.erasing', true), '') AS erases",
);
const note = sql(
  "test_note",
  "INSERT INTO entities (workspace_id, id, type) VALUES ($workspace, $1, 'company') RETURNING id",
);

/** Which transaction the service gets. */
async function modeOf({ db }: Pick<Ctx, "db">): Promise<"reads" | "writes" | "erases"> {
  const [mode] = await db.query<{ reads: string; erases: string }>(modes);
  return mode?.reads === "on" ? "reads" : mode?.erases === "on" ? "erases" : "writes";
}

describe("the transaction of a service", () => {
  type Options = NonNullable<Parameters<typeof implement<typeof Input, typeof Output, string>>[2]> & {
    contract?: Partial<Contract<typeof Input, typeof Output>>;
  };

  test.each<[string, Contract["scope"], Options, number, string]>([
    ["reads by the scope read", "read", {}, 1, "reads"],
    ["reads on the primary, where it is said so", "write", { transaction: "primary" }, 1, "reads"],
    ["writes by the scope write", "write", {}, 1, "writes"],
    ["writes by the scope admin", "admin", {}, 1, "writes"],
    [
      "writes by the scope write, also where nothing that is recorded changes",
      "write",
      { contract: { writes: () => false } },
      1,
      "writes",
    ],
    ["writes by the scope read, where it is said so", "read", { contract: { writes: () => true } }, 1, "writes"],
    ["writes by the scope read, to bring an index up to date", "read", { transaction: "writing" }, 1, "writes"],
    [
      "writes by the scope read, with an input that changes something",
      "read",
      { contract: { writes: ({ n }) => n > 1 } },
      2,
      "writes",
    ],
    [
      "reads by the scope read, with an input that changes nothing",
      "read",
      { contract: { writes: ({ n }) => n > 1 } },
      1,
      "reads",
    ],
    ["may erase, where it is said so", "write", { transaction: "erasing" }, 1, "erases"],
    [
      "may erase, when what came before it says so",
      "write",
      { transaction: (found) => (found === "1 before" ? "erasing" : "writing") },
      1,
      "erases",
    ],
    [
      "writes, when what came before it does not say that it erases",
      "write",
      { transaction: (found) => (found === "" ? "erasing" : "writing") },
      1,
      "writes",
    ],
  ])("%s", async (_, scope, { contract = {}, ...options }, n, expected) => {
    const { caller } = await start();
    const seen: string[] = [];
    const operation = implement(
      contractOf({ scope, ...contract }),
      async (ctx, input, found: string) => {
        seen.push(await modeOf(ctx), found, ctx.requestId);
        return { n: input.n };
      },
      { before: async (_caller, input) => `${input.n} before`, ...options },
    );
    expect(await operation.execute(caller, { n })).toEqual({ n });
    const prepared = await operation.prepare(caller, { n });
    expect(prepared.erases).toBe(expected === "erases");
    if (expected === "reads") return expect(seen).toEqual(["reads", `${n} before`, caller.requestId]);
    await operation.reply(caller, { n }, onceOf("a"));
    const each = [expected, `${n} before`, caller.requestId];
    expect(seen).toEqual([...each, ...each]);
  });

  test.each(["replica", "primary", "writing", "erasing"] as const)(
    "is called what the operation is: %s",
    async (transaction) => {
      const { caller } = await start();
      const begun: Db[] = [];
      const operation = implement(
        contractOf(),
        async ({ db }, { n }) => {
          begun.push(db);
          return { n };
        },
        { transaction },
      );
      await operation.execute(caller, { n: 1 });
      await expect(begun[0]?.query(modes)).rejects.toThrow("after the work of tryThings had ended");
    },
  );

  test("is not begun for a caller who has the scope read, when it writes", async () => {
    const { caller } = await start({ scopes: ["read"] });
    const service = vi.fn(async () => ({ n: 1 }));
    const writes = ({ n }: { n: number }) => n > 1;
    const operation = implement(contractOf({ scope: "read", writes }), service);
    expect(await refusal(operation.execute(caller, { n: 2 }))).toEqual({
      code: "insufficient_scope",
      required_scope: "write",
    });
    expect(await refusal(operation.prepare(caller, { n: 2 }))).toMatchObject({ code: "insufficient_scope" });
    expect(service).not.toHaveBeenCalled();
    expect(await operation.execute(caller, { n: 1 })).toEqual({ n: 1 });
    const index = implement(contractOf({ scope: "read" }), service, { transaction: "writing" });
    expect(await index.execute(caller, { n: 1 })).toEqual({ n: 1 });
  });
});

describe("a request with an Idempotency-Key", () => {
  /** Notes a company and answers, or refuses, with what it is asked for. */
  const noting = (more: Partial<Contract<typeof Input, typeof Output>> = {}) =>
    implement(contractOf(more), async ({ db }, { n }) => {
      await db.query(note, [newId()]);
      if (n === 404) throw new Fault("entity_not_found");
      if (n === 502) throw new Fault("provider_unavailable");
      if (n === 500) throw new Error("a bug");
      return { n };
    });

  test("is done once, and gets its first answer again with its status", async () => {
    const { caller, kept, noted } = await start();
    const operation = noting({ http: { method: "POST", path: "/v2/things", status: 201 } });
    const first = await operation.reply(caller, { n: 7 }, onceOf("a"));
    expect(first).toEqual({ status: 201, body: '{"n":7}', replayed: false });
    expect(await operation.reply(caller, { n: 7 }, onceOf("a"))).toEqual({ ...first, replayed: true });
    expect(await noted()).toBe(1);
    expect(await kept()).toEqual([{ status: 201, body: '{"n":7}', encrypted: false }]);
    expect(await refusal(operation.reply(caller, { n: 8 }, onceOf("b")))).toEqual({ code: "idempotency_key_reused" });
    expect(await noted()).toBe(1);
  });

  test.each(["api_key", "user"] as const)(
    "is another one when another caller than the first, %s, sends it",
    async (type) => {
      const { caller: anyone, noted } = await start();
      const operation = noting();
      const caller: Caller = { ...anyone, actor: { type, id: newId() } };
      const first = await operation.reply(caller, { n: 7 }, onceOf("a"));
      for (const other of ["api_key", "user"] as const) {
        const by: Caller = { ...anyone, actor: { type: other, id: newId() } };
        const again = operation.reply(by, { n: 7 }, onceOf("a"));
        expect(await refusal(again)).toEqual({ code: "idempotency_key_reused" });
      }
      expect(await operation.reply(caller, { n: 7 }, onceOf("a"))).toEqual({ ...first, replayed: true });
      expect(await noted()).toBe(1);
    },
  );

  test("is the same for every caller where its answer was kept without one", async () => {
    const { workspace, caller } = await start();
    const operation = noting();
    const first = await operation.reply(caller, { n: 7 }, onceOf("a"));
    await inspect("UPDATE idempotency SET caller = NULL WHERE workspace_id = $1", [workspace.id]);
    const other: Caller = { ...caller, actor: { type: "user", id: newId() } };
    expect(await operation.reply(other, { n: 7 }, onceOf("a"))).toEqual({ ...first, replayed: true });
  });

  test("gets a refusal again, which wrote nothing", async () => {
    const { caller, kept, noted } = await start();
    const operation = noting();
    expect(await refusal(operation.reply(caller, { n: 404 }, onceOf("a")))).toEqual({ code: "entity_not_found" });
    const again = await operation.reply({ ...caller, requestId: newId() }, { n: 404 }, onceOf("a"));
    expect([again.status, again.replayed]).toEqual([404, true]);
    expect(JSON.parse(again.body)).toMatchObject({ error: "entity_not_found", request_id: caller.requestId });
    expect(await noted()).toBe(0);
    expect(await kept()).toHaveLength(1);
  });

  test.each([500, 502])("is tried again when it failed with %d", async (n) => {
    const { caller, kept, noted } = await start();
    const operation = noting();
    for (const _ of [1, 2])
      await expect(operation.reply(caller, { n }, onceOf("a"))).rejects.toThrow(n === 500 ? "a bug" : /provider/);
    expect([await kept(), await noted()]).toEqual([[], 0]);
    expect(await operation.reply(caller, { n: 1 }, onceOf("a"))).toMatchObject({ status: 200, replayed: false });
  });

  test("is refused while another with its key is under way", async () => {
    const { workspace, caller } = await start();
    const operation = noting();
    await withWorkspace(workspace.id, async (db) => {
      await lockIdempotencyKey(db, "key");
      expect(await refusal(operation.reply(caller, { n: 1 }, onceOf("a")))).toEqual({
        code: "idempotency_key_in_use",
        retry_after: 1,
      });
    });
  });

  test("has its answer encrypted when that holds a secret", async () => {
    const { caller, kept } = await start();
    const operation = noting({ secrets: { output: ["id"] } });
    const first = await operation.reply(caller, { n: 7 }, onceOf("a"));
    const [row] = await kept();
    expect(row?.encrypted).toBe(true);
    expect(decrypt(getBoot().secrets.encryptionKeys, purposeOfAnswer("key"), row?.body ?? "")).toBe(first.body);
    expect(await operation.reply(caller, { n: 7 }, onceOf("a"))).toEqual({ ...first, replayed: true });
  });
});

describe("what comes before and after a transaction", () => {
  /** What happened, in order. */
  function around(more: { fails?: boolean; refuses?: boolean } = {}) {
    const did: string[] = [];
    const operation = implement(
      contractOf({ http: { method: "POST", path: "/v2/things", status: ({ by }) => (by === "after" ? 201 : 200) } }),
      async (_ctx, { n }, found: string) => {
        did.push(`service with ${found}`);
        return { n };
      },
      {
        async before(caller, { n }) {
          did.push(`before ${n}`);
          if (more.refuses) throw new Fault("provider_unavailable");
          return caller.requestId;
        },
        async after(_caller, output, { n }, found) {
          did.push(`after ${n} with ${found}`);
          if (more.fails) throw new Error("too late");
          return { ...output, by: "after" };
        },
      },
    );
    return { did, operation };
  }

  test("happens once, and the answer is the completed one", async () => {
    const { caller } = await start();
    const { did, operation } = around();
    expect(await operation.execute(caller, { n: 1 })).toEqual({ n: 1, by: "after" });
    const found = caller.requestId;
    expect(did).toEqual(["before 1", `service with ${found}`, `after 1 with ${found}`]);
    expect(await operation.reply(caller, { n: 1 })).toEqual({
      status: 201,
      body: '{"n":1,"by":"after"}',
      replayed: false,
    });
  });

  test("happens once for a request with an Idempotency-Key, whose completed answer is kept", async () => {
    const { caller } = await start();
    const { did, operation } = around();
    const first = await operation.reply(caller, { n: 1 }, onceOf("a"));
    expect(first).toEqual({ status: 201, body: '{"n":1,"by":"after"}', replayed: false });
    expect(await operation.reply(caller, { n: 1 }, onceOf("a"))).toEqual({ ...first, replayed: true });
    expect(did).toHaveLength(3);
  });

  test("happens once after it, also where nothing comes before", async () => {
    const { caller } = await start();
    const completed: unknown[] = [];
    const operation = implement(contractOf(), async (_ctx, { n }) => ({ n }), {
      async after(_caller, output) {
        completed.push(output);
        return { ...output, by: "after" };
      },
    });
    const first = await operation.reply(caller, { n: 1 }, onceOf("a"));
    expect(await operation.reply(caller, { n: 1 }, onceOf("a"))).toEqual({ ...first, replayed: true });
    expect(completed).toEqual([{ n: 1 }]);
  });

  test("leaves the service's answer when what comes after fails", async () => {
    const { caller } = await start();
    const { operation } = around({ fails: true });
    expect(await operation.execute(caller, { n: 1 })).toEqual({ n: 1 });
    const first = await operation.reply(caller, { n: 1 }, onceOf("a"));
    expect(first).toEqual({ status: 200, body: '{"n":1}', replayed: false });
    expect(await operation.reply(caller, { n: 1 }, onceOf("a"))).toEqual({ ...first, replayed: true });
    const { run, complete } = await operation.prepare(caller, { n: 1 });
    const output = await withWorkspace(caller.workspaceId, run);
    expect(await complete?.(output)).toEqual({ n: 1 });
  });

  test("keeps a service from being run when what comes before refuses, and keeps no answer", async () => {
    const { caller, kept } = await start();
    const { did, operation } = around({ refuses: true });
    expect(await refusal(operation.reply(caller, { n: 1 }, onceOf("a")))).toEqual({ code: "provider_unavailable" });
    expect([did, await kept()]).toEqual([["before 1"], []]);
  });

  test("surrounds a call that was approved, in the transaction of who approves", async () => {
    const { caller } = await start();
    const { did, operation } = around();
    const prepared = await operation.prepare(caller, { n: 1 });
    expect(did).toEqual(["before 1"]);
    const output = await withWorkspace(caller.workspaceId, prepared.run);
    expect([output, await prepared.complete?.(output)]).toEqual([{ n: 1 }, { n: 1, by: "after" }]);
    const found = caller.requestId;
    expect(did).toEqual(["before 1", `service with ${found}`, `after 1 with ${found}`]);
    const plain = implement(contractOf(), async ({ db, requestId: by }) => ({
      n: (await modeOf({ db })) === "writes" ? 1 : 0,
      by,
    }));
    const { complete, run } = await plain.prepare(caller, { n: 1 });
    expect([complete, await withWorkspace(caller.workspaceId, run)]).toEqual([undefined, { n: 1, by: found }]);
  });
});

describe("a caller whose writes need approval", () => {
  const writing = (service: () => Promise<{ n: number }>) =>
    implement(contractOf({ scope: "read", writes: ({ n }) => n > 1 }), service, {
      after: async (_caller, output) => output,
    });

  test("reads at once, and waits with what it writes", async () => {
    const { caller, workspace, kept } = await start({ approval: "writes" });
    const service = vi.fn(async () => ({ n: 1 }));
    const operation = writing(service);
    expect(await operation.call(caller, { n: 1 })).toEqual({ output: { n: 1 } });
    service.mockClear();
    const waiting = await operation.call(caller, { n: 2 });
    expect(waiting).toMatchObject({ waiting: { status: "pending_approval" } });
    const reply = await operation.reply(caller, { n: 2 });
    expect([reply.status, JSON.parse(reply.body).status, reply.replayed]).toEqual([202, "pending_approval", false]);
    await expect(operation.execute(caller, { n: 2 })).rejects.toThrow("tryThings waits for approval");
    const once = await operation.reply(caller, { n: 2 }, onceOf("a"));
    expect(once).toMatchObject({ status: 202, replayed: false });
    expect(await operation.reply(caller, { n: 2 }, onceOf("a"))).toEqual({ ...once, replayed: true });
    expect(await kept()).toMatchObject([{ status: 202 }]);
    expect(service).not.toHaveBeenCalled();
    const held = "SELECT operation, input FROM approvals WHERE workspace_id = $1";
    const one = { operation: "tryThings", input: '{"n":2}' };
    expect(await inspect(held, [workspace.id])).toEqual([one, one, one, one]);
  });

  test("waits with an operation that runs in transactions of its own", async () => {
    const { caller } = await start({ approval: "writes" });
    const work = vi.fn(async (_caller: Caller, { n }: { n: number }) => ({ n }));
    const operation = implementAlone(contractOf(), work);
    expect(await operation.call(caller, { n: 1 })).toMatchObject({ waiting: { status: "pending_approval" } });
    expect(work).not.toHaveBeenCalled();
    const prepared = await operation.prepare({ ...caller, approval: "none" }, { n: 1 });
    expect(prepared.erases).toBe(false);
    expect(await prepared.run(undefined as unknown as Db)).toEqual({ n: 1 });
    expect(work.mock.calls).toEqual([[{ ...caller, approval: "none" }, { n: 1 }]]);
  });
});

test("an answer that is text already is sent as it is, with the status of its contract, and read where it is needed", async () => {
  const { caller } = await start();
  const text = '{ "n": 1 }';
  const list = (status?: 201) =>
    implement(
      contractOf({ http: { method: "POST", path: "/v2/things", ...(status ? { status } : {}) } }),
      async () => new JsonText<{ n: number }>(text),
      {
        after: async (_caller, output) => ({ ...output, by: "after" }),
      },
    );
  expect(await list().reply(caller, { n: 1 })).toEqual({ status: 200, body: text, replayed: false });
  expect(await list(201).reply(caller, { n: 1 })).toEqual({ status: 201, body: text, replayed: false });
  expect(await list().execute(caller, { n: 1 })).toEqual({ n: 1 });
  expect(await list().call(caller, { n: 1 })).toEqual({ output: { n: 1 } });
  expect(await list().reply(caller, { n: 1 }, onceOf("a"))).toEqual({ status: 200, body: text, replayed: false });
  expect(await list().reply(caller, { n: 1 }, onceOf("a"))).toEqual({ status: 200, body: text, replayed: true });
  const { run } = await list().prepare(caller, { n: 1 });
  expect(await withWorkspace(caller.workspaceId, run)).toEqual({ n: 1 });
});

test("calls are answered in groups, except those with an Idempotency-Key, those that wait, and those of other operations", async () => {
  const { caller } = await start();
  const grouped = vi.fn(async (_caller: Caller, { n }: { n: number }) => ({ n, by: "group" }));
  const operation = implement(contractOf(), async (_ctx, { n }) => ({ n, by: "service" }), { alone: grouped });
  expect(await operation.execute(caller, { n: 1 })).toEqual({ n: 1, by: "group" });
  expect((await operation.reply(caller, { n: 1 })).body).toBe('{"n":1,"by":"group"}');
  expect((await operation.reply(caller, { n: 1 }, onceOf("a"))).body).toBe('{"n":1,"by":"service"}');
  expect(await operation.call({ ...caller, approval: "writes" }, { n: 1 })).toHaveProperty("waiting");
  expect(grouped).toHaveBeenCalledTimes(2);
  expect(operationNamed("tryThings")).toBe(operation);
});

test("a file is made only for a caller who may have the answer", async () => {
  const { caller } = await start();
  const open = vi.fn(async () => null);
  const operation = implement(contractOf({ scope: "admin" }), async () => ({ n: 1 }), { also: { file: open } });
  const download = async (by: Caller, raw: unknown) => operation.allow(by).stream(raw, null);
  expect(await download(caller, { n: 1 })).toBeNull();
  expect(await refusal(download({ ...caller, scopes: ["write"] }, { n: 1 }))).toMatchObject({
    code: "insufficient_scope",
  });
  expect(await refusal(download(caller, { n: "x" }))).toMatchObject({ parameter: "n" });
  expect(open.mock.calls).toEqual([[caller, { n: 1 }]]);
  expect(await operation.execute(caller, { n: 1 })).toEqual({ n: 1 });
});

describe("an operation that runs in transactions of its own", () => {
  type HoldInput = { file?: AsyncIterable<Buffer> | Iterable<Buffer>; once?: KeptOnce<{ n: number }> | null };
  const file = { field: "content", fileName: "file_name", limit: 100 };
  const status = ({ n }: { n: number }) => (n === 3 ? 201 : 200);
  const http = { method: "POST" as const, path: "/v2/things", status, body: { file, limit: 10 } };

  /** Answers the size of its file, once. */
  function sizing(answer: (n: number) => { n: number } | Fault = (n) => ({ n })) {
    const ran: number[] = [];
    const operation = implementAlone(
      contractOf({ http }),
      async (caller, { content = "" }, { file, once }: HoldInput = {}) => {
        let n = 0;
        for await (const piece of file ?? [Buffer.from(content)]) {
          once?.add(piece);
          n += piece.length;
        }
        return withWorkspace(caller.workspaceId, async (db) => {
          ran.push((await once?.isAnswered(db)) ? -n : n);
          await once?.claim(db);
          const made = answer(n);
          await once?.keep(db, made);
          if (made instanceof Fault) return Promise.reject(new Error("kept"));
          return made;
        });
      },
    );
    const receive = (caller: Caller, raw: object, pieces: string[], once?: Once) =>
      operation.allow(caller).reply(
        { ...raw },
        once ?? null,
        pieces.map((piece) => Buffer.from(piece)),
      );
    return { ran, operation, receive };
  }

  test("is known by its fields and the bytes of its file, however they arrive", async () => {
    const { caller, kept } = await start();
    const { ran, receive } = sizing();
    const first = await receive(caller, { n: 1 }, ["ab", "c"], onceOf("a"));
    expect(first).toEqual({ status: 201, body: '{"n":3}', replayed: false });
    expect(await receive(caller, { n: 1 }, ["a", "bc"], onceOf("a"))).toEqual({ ...first, replayed: true });
    const reused = { code: "idempotency_key_reused" };
    expect(await refusal(receive(caller, { n: 1 }, ["abd"], onceOf("a")))).toEqual(reused);
    expect(await refusal(receive(caller, { n: 2 }, ["abc"], onceOf("a")))).toEqual(reused);
    expect(await refusal(receive(caller, { n: 1 }, ["abc"], onceOf("b")))).toEqual(reused);
    expect(ran).toEqual([3, -3, -3, -3, -3]);
    expect(await kept()).toHaveLength(1);
    expect(await receive(caller, { n: 1 }, ["abc"])).toEqual(first);
    expect(await refusal(receive(caller, { n: "x" }, ["abc"]))).toMatchObject({ parameter: "n" });
  });

  test("without a file is known by its request", async () => {
    const { caller } = await start();
    const { operation } = sizing();
    const raw = { n: 1, content: "abc" };
    const first = await operation.reply(caller, raw, onceOf("a"));
    expect(first).toEqual({ status: 201, body: '{"n":3}', replayed: false });
    expect(await operation.execute(caller, raw)).toEqual({ n: 3 });
    expect(await refusal(operation.reply(caller, raw, onceOf("b")))).toEqual({ code: "idempotency_key_reused" });
    const held = await operation.reply({ ...caller, approval: "writes" }, raw, onceOf("c", "held"));
    expect(await operation.reply(caller, raw, onceOf("c", "held"))).toEqual({ ...held, replayed: true });
    await expect(operation.prepare(caller, { n: "x" })).rejects.toThrow();
  });

  test("gets a kept refusal again", async () => {
    const { caller, kept } = await start();
    const { receive } = sizing(() => new Fault("invalid_file"));
    await expect(receive(caller, { n: 1 }, ["abc"], onceOf("a"))).rejects.toThrow("kept");
    expect(await kept()).toEqual([]); // the transaction was rolled back
    const { workspaceId } = caller;
    const keeping = implementAlone(contractOf({ http }), async (_caller, _input, { once }: HoldInput = {}) => {
      await withWorkspace(workspaceId, async (db) => {
        await once?.claim(db);
        await once?.keep(db, new Fault("invalid_file"));
      });
      throw new Fault("invalid_file");
    });
    expect(await refusal(keeping.reply(caller, { n: 1 }, onceOf("a")))).toEqual({ code: "invalid_file" });
    const again = await keeping.reply(caller, { n: 1 }, onceOf("a"));
    expect([again.status, again.replayed]).toEqual([400, true]);
    expect(JSON.parse(again.body)).toMatchObject({ error: "invalid_file", request_id: caller.requestId });
  });

  test("keeps no answer in place of another caller's", async () => {
    const { caller, kept } = await start();
    const keeping = implementAlone(contractOf({ http }), async ({ workspaceId }, { n }, { once }: HoldInput = {}) =>
      withWorkspace(workspaceId, async (db) => {
        await once?.keep(db, { n });
        return { n };
      }),
    );
    await keeping.reply(caller, { n: 1 }, onceOf("a"));
    const other: Caller = { ...caller, actor: { type: "user", id: newId() } };
    expect(await refusal(keeping.reply(other, { n: 2 }, onceOf("b")))).toEqual({ code: "idempotency_key_reused" });
    expect(await kept()).toMatchObject([{ body: '{"n":1}' }]);
  });

  test("waits for approval with the whole text of its file, which may be as long as another body", async () => {
    const { caller, workspace } = await start({ approval: "writes" });
    const { ran, receive } = sizing();
    const first = await receive(caller, { n: 1 }, ["0123", "456789"]);
    expect(first).toMatchObject({ status: 202, replayed: false });
    const [held] = await inspect<{ input: string }>("SELECT input FROM approvals WHERE workspace_id = $1", [
      workspace.id,
    ]);
    expect(JSON.parse(held?.input ?? "")).toEqual({ n: 1, content: "0123456789" });
    expect(await refusal(receive(caller, { n: 1 }, ["0123", "456789", "x"]))).toEqual({
      code: "payload_too_large",
      limit_bytes: 10,
    });
    expect(await refusal(receive(caller, { n: 1 }, ["a\0b"]))).toEqual({ code: "invalid_file" });
    expect(ran).toEqual([]);
  });
});
