/** What the binding of a service decides without a database. */
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { JsonText } from "#lib/core/json.ts";
import { type Contract, defineOperation } from "#lib/core/operation.ts";
import { plain, replyOf } from "./answers.ts";
import { accept, authorize, isWrite } from "./authority.ts";
import { Held, type Waiting } from "./holding.ts";
import { type Also, bind, type Operation } from "./operation.ts";

const Input = z.strictObject({ n: z.int(), owner: z.string().nullish() });

const contractOf = (more: Partial<Contract<typeof Input>> = {}) =>
  defineOperation({
    name: "syncCrm",
    tag: "CRM",
    summary: "An operation of a test",
    surface: "app",
    scope: "write",
    http: { method: "POST", path: "/v2/x" },
    input: Input,
    output: z.unknown() as z.ZodType,
    example: { input: { n: 1 }, output: {} },
    ...more,
  });

const all: Caller = {
  workspaceId: newId() as WorkspaceId,
  plan: "scale",
  scopes: ["admin"],
  role: "owner",
  actor: { type: "user", id: newId() },
  requestId: newId(),
  client: null,
};

/** What a refusal says; null when there is none. */
function refusal(work: () => unknown): object | null {
  try {
    work();
    return null;
  } catch (error) {
    if (isFault(error)) return { code: error.code, ...error.extras };
    throw error;
  }
}

describe("a caller who lacks", () => {
  const everything = contractOf({ scope: "admin", role: "admin", feature: "crm_sync" });

  test.each<[string, Partial<Caller>, object | null]>([
    ["nothing", {}, null],
    ["the lowest plan that has it", { plan: "growth" }, null],
    ["a higher role", { role: "admin" }, null],
    [
      "the plan, the scope and the role: the plan comes first",
      { plan: "free", scopes: ["read"], role: "member" },
      { code: "feature_not_in_plan", feature: "crm_sync", required_plan: "growth", current_plan: "free" },
    ],
    [
      "the scope and the role: the scope comes next",
      { scopes: ["write"], role: "member" },
      { code: "insufficient_scope", required_scope: "admin" },
    ],
    ["the role", { role: "member" }, { code: "role_required", required_role: "admin" }],
    ["a role, as a key does", { role: null }, { code: "role_required", required_role: "admin" }],
  ])("%s", (_, lacks, expected) => {
    expect(refusal(() => authorize(everything, { ...all, ...lacks }))).toEqual(expected);
  });

  test("a role may do what asks for none", () => {
    expect(refusal(() => authorize(contractOf(), { ...all, role: null }))).toBeNull();
  });

  test("a plan is told what it lacks, and which one has it", () => {
    expect(() => authorize(everything, { ...all, plan: "free" })).toThrow(
      "Not part of the plan free of this workspace: CRM sync. It comes with growth.",
    );
  });
});

type Fields = { n: number; owner?: string | null };
const aboveOne = ({ n }: Fields): boolean => n > 1;

test.each<[Contract["scope"], ((input: Fields) => boolean) | undefined, number, boolean]>([
  ["read", undefined, 2, false],
  ["write", undefined, 2, true],
  ["admin", undefined, 2, true],
  ["read", aboveOne, 1, false],
  ["read", aboveOne, 2, true],
  ["write", aboveOne, 1, false],
])("an operation of the scope %s that says of itself %s writes with %d: %s", (scope, writes, n, expected) => {
  expect(isWrite(contractOf({ scope, ...(writes ? { writes } : {}) }), { n })).toBe(expected);
});

describe("what an operation asks of an input", () => {
  const notInPlan = {
    code: "feature_not_in_plan",
    feature: "lead_lists",
    required_plan: "scale",
    current_plan: "free",
  };

  test.each<[string, unknown, unknown]>([
    ["a field that the plan does not have", { n: 1, owner: "ada" }, notInPlan],
    ["the field, with a wrong value beside it", { n: "x", owner: "ada" }, notInPlan],
    ["the field, empty", { n: 1, owner: "" }, notInPlan],
    ["the field without a value", { n: 1, owner: null }, null],
    ["the other fields", { n: 1 }, null],
    ["a wrong value", { n: "x" }, { code: "invalid_parameter", parameter: "n" }],
    ["no fields", null, { code: "invalid_parameter", parameter: "" }],
    ["text", "owner", { code: "invalid_parameter", parameter: "" }],
  ])("of the plan is decided by its fields: %s", (_, raw, expected) => {
    const fields = contractOf({ feature: { owner: "lead_lists" } });
    expect(refusal(() => accept(fields, { ...all, plan: "free" }, raw))).toEqual(expected);
  });

  test("of the plan is nothing where the plan has the field, or no field needs it", () => {
    const raw = { n: 1, owner: "ada" };
    expect(accept(contractOf({ feature: { owner: "lead_lists" } }), all, raw)).toEqual(raw);
    expect(accept(contractOf({ feature: "lead_lists" }), { ...all, plan: "free" }, raw)).toEqual(raw);
    expect(accept(contractOf(), { ...all, plan: "free" }, raw)).toEqual(raw);
  });

  test("of the caller is the scope write, where it writes", () => {
    const some = contractOf({ scope: "read", writes: aboveOne });
    const reader: Caller = { ...all, scopes: ["read"] };
    expect(accept(some, reader, { n: 1 })).toEqual({ n: 1 });
    expect(refusal(() => accept(some, reader, { n: 2 }))).toEqual({
      code: "insufficient_scope",
      required_scope: "write",
    });
    expect(accept(some, { ...all, scopes: ["write"] }, { n: 2 })).toEqual({ n: 2 });
    expect(refusal(() => accept(some, reader, { n: "x" }))).toEqual({ code: "invalid_parameter", parameter: "n" });
  });
});

describe("an answer", () => {
  const waiting: Waiting = { status: "pending_approval", approval_id: newId(), message: "Wait." };
  const byOutput = (output: unknown) => ((output as Fields).n > 1 ? 201 : 200);
  const text = '{ "n": 2 }';

  type Status = Contract["http"]["status"];
  test.each<[string, Status, unknown, number, string]>([
    ["is 200 unless its contract says otherwise", undefined, { n: 2 }, 200, '{"n":2}'],
    ["has the status of its contract", 201, { n: 2 }, 201, '{"n":2}'],
    ["has the status that follows from it", byOutput, { n: 2 }, 201, '{"n":2}'],
    ["has the other status that follows from it", byOutput, { n: 1 }, 200, '{"n":1}'],
    ["that is text is sent as it is", undefined, new JsonText(text), 200, text],
    ["that is text has the status of its contract", 201, new JsonText(text), 201, text],
    ["that is text has no status that follows from it", byOutput, new JsonText(text), 200, text],
    ["that waits for approval is 202", 201, new Held(waiting), 202, JSON.stringify(waiting)],
  ])("%s", (_, status, output, expected, body) => {
    const contract = contractOf({ http: { method: "POST", path: "/v2/x", ...(status ? { status } : {}) } });
    expect(replyOf(contract, output)).toEqual({ status: expected, body, replayed: false });
  });

  test("that is text is read where its fields are needed", () => {
    expect(plain(new JsonText<Fields>(text))).toEqual({ n: 2 });
    const output = { n: 1 };
    expect(plain(output)).toBe(output);
  });
});

describe("a bound operation", () => {
  const Fields = z.strictObject({ n: z.int(), content: z.string().min(1).optional() });
  type Of = Operation<typeof Fields>;
  const from = { lastEventId: "7", signal: new AbortController().signal };
  const download = { fileName: "x.csv", type: "text/csv", lines: (async function* () {})() };
  const events = (async function* () {})();

  /** One that records what its work is called with. */
  function bound(more: Partial<Contract<typeof Fields>> = {}, also?: Also<typeof Fields>) {
    const run = vi.fn(async () => ({ output: "done", reply: null }));
    const prepare = vi.fn(async () => ({ erases: false, run: async () => null }));
    const contract = defineOperation({ ...contractOf(), name: "tryThings", input: Fields, ...more });
    return { run, prepare, operation: bind(contract, { run, prepare, also }) };
  }

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (isFault(error) ? error.code : error),
    );

  test.each<[string, (operation: Of, caller: Caller, raw: unknown) => Promise<unknown>]>([
    ["run", (operation, caller, raw) => operation.execute(caller, raw)],
    ["called", (operation, caller, raw) => operation.call(caller, raw)],
    ["answered", (operation, caller, raw) => operation.reply(caller, raw)],
    ["prepared", (operation, caller, raw) => operation.prepare(caller, raw)],
    ["made a file", async (operation, caller, raw) => operation.allow(caller).stream(raw, null)],
    ["made events", async (operation, caller, raw) => operation.allow(caller).stream(raw, from)],
  ])("is %s only for who has the right, and only with an input that it takes", async (_, way) => {
    const also = { file: vi.fn(async () => download), events: vi.fn(async () => events) };
    const { run, prepare, operation } = bound({ role: "admin" }, also);
    const worked = () => [run, prepare, also.file, also.events].filter(({ mock }) => mock.calls.length > 0).length;
    expect(await failure(way(operation, { ...all, role: "member" }, { n: 1 }))).toBe("role_required");
    expect(await failure(way(operation, all, { n: "x" }))).toBe("invalid_parameter");
    expect(worked()).toBe(0);
    expect(await failure(way(operation, all, { n: 1 }))).toBeNull();
    expect(worked()).toBe(1);
  });

  const file = async () => download;
  const noFile = async () => null;
  test.each<[string, Also<typeof Fields> | undefined, boolean, unknown]>([
    ["nothing", undefined, false, null],
    ["nothing, also when events are asked for", undefined, true, null],
    ["a file", { file }, false, { file: download }],
    ["no file, for an input that asks for none", { file: noFile }, false, null],
    ["a file when events are asked for, where it has none", { file }, true, { file: download }],
    ["events when they are asked for", { file, events: async () => events }, true, { events }],
    ["no events when they are not asked for", { events: async () => events }, false, null],
  ])("has besides its answer: %s", async (_, also, asks, expected) => {
    const { operation } = bound({}, also);
    expect(await operation.allow(all).stream({ n: 1 }, asks ? from : null)).toEqual(expected);
  });

  test("makes events for the caller, from the input and the place that were asked for", async () => {
    const follow = vi.fn(async () => events);
    const { operation } = bound({}, { events: follow });
    await operation.allow(all).stream({ n: 1 }, from);
    expect(follow.mock.calls).toEqual([[all, { n: 1 }, from]]);
  });

  describe("that takes a file", () => {
    const of = { field: "content", fileName: "file_name", limit: 100 };
    const http = { method: "POST" as const, path: "/v2/x", body: { file: of, limit: 10 } };
    const pieces = (read: string[]) =>
      (async function* () {
        for (const piece of ["0123", "456789", "x"]) {
          read.push(piece);
          yield Buffer.from(piece);
        }
      })();

    test("is run with the file as it arrives, whatever its size, and with the other fields", async () => {
      const read: string[] = [];
      const given = pieces(read);
      const { run, operation } = bound({ http });
      await operation.allow(all).reply({ n: 1 }, null, given);
      expect(run.mock.calls).toEqual([[all, { n: 1, content: expect.stringMatching(/./) }, null, given]]);
      expect(read).toEqual([]);
    });

    test("waits for approval with no more of it than another body may have", async () => {
      const read: string[] = [];
      const waiting: Caller = { ...all, approval: "writes" };
      const { operation } = bound({ http });
      expect(await failure(operation.allow(waiting).reply({ n: 1 }, null, pieces(read)))).toBe("payload_too_large");
      expect(await failure(operation.allow(all).reply({ n: "x" }, null, pieces(read)))).toBe("invalid_parameter");
    });

    test("is told apart from one that takes none", async () => {
      for (const body of [undefined, { limit: 10 }]) {
        const { operation } = bound({ http: { method: "POST", path: "/v2/x", ...(body ? { body } : {}) } });
        const work = operation.allow(all).reply({ n: 1 }, null, pieces([]));
        await expect(work).rejects.toThrow("tryThings takes no file");
      }
    });
  });
});
