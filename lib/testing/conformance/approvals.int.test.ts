/** A key whose writes need approval never changes anything itself; what is approved is as if it had been called. */
import { describe, expect, test } from "vitest";
import type { Operation } from "#lib/domain/implement.ts";
import { toolNamed } from "#lib/mcp/tools.ts";
import { inspect } from "../database.ts";
import { useServer } from "../server.fixture.ts";
import { oneOfEachKind, publicOperations } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { type SurfaceAnswer, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);

type Input = Record<string, unknown>;

const inputsThatWrite: Readonly<Record<string, Input>> = {
  verifyClaim: { focus: "anna@acme.com", property: "job_title", confirm: true },
};

const writing = publicOperations.filter(
  ([name, { contract }]) => (contract.scope !== "read" && !contract.writes) || inputsThatWrite[name] !== undefined,
);

/** What may change although nothing was done: the change that waits, and when a key was last used. */
const BESIDE = ["approvals", "api_keys", "idempotency"];

const tables = inspect<{ name: string }>(
  "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id' ORDER BY 1",
);

/** Everything the workspace holds, as one text for each table. */
async function contentOf({ id }: Stage): Promise<Record<string, string>> {
  const names = (await tables).map(({ name }) => name).filter((name) => !BESIDE.includes(name));
  const texts = names.map(
    (name) =>
      `SELECT '${name}' AS name, coalesce(string_agg(to_jsonb(t)::text, E'\\n' ORDER BY to_jsonb(t)::text), '') AS rows FROM "${name}" t WHERE workspace_id = $1`,
  );
  const rows = await inspect<{ name: string; rows: string }>(texts.join(" UNION ALL "), [id], "content");
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}

const pendingOf = ({ id }: Stage) =>
  inspect<{ id: string; operation: string; status: string }>(
    "SELECT id, operation, status FROM approvals WHERE workspace_id = $1 ORDER BY id",
    [id],
  );

/** A stage with a key whose writes need approval, and an input of the operation that succeeds there. */
async function castOf(name: string) {
  const stage = await createStage();
  const input = { ...(await inputOf(name, stage)), ...inputsThatWrite[name] };
  if (inputsThatWrite[name]) await stage.anna();
  await stage.rested();
  const as = { key: await stage.key(["admin"], { approval: "writes" }) };
  return { stage, input, as };
}

/** An Idempotency-Key is for requests that would do something twice. */
const twice = { POST: 2, PATCH: 1, DELETE: 1, GET: 1 };

const tools = writing.filter(([, { contract }]) => contract.tool !== undefined);

describe.each(tools)("the tool of %s for a caller whose writes need approval", (name, { contract }) => {
  test("says that it waits, and changes nothing", async () => {
    const { stage, input } = await castOf(name);
    const given = Object.fromEntries(
      (contract.tool?.parameters ?? []).flatMap((one) => {
        const [parameter, field] = typeof one === "string" ? [one, one] : one;
        return input[field] === undefined ? [] : [[parameter, input[field]]];
      }),
    );
    const before = await contentOf(stage);
    const caller = { ...stage.caller, role: null, actor: { ...stage.caller.actor, type: "mcp" as const } };
    const answer = await toolNamed(contract.tool?.name ?? "", "all")?.call(
      { ...caller, approval: "writes" },
      given,
      server.url(),
    );
    expect(answer?.structured.status).toBe("pending_approval");
    expect(answer?.text).toMatch(/^Not done yet: a person must approve it\..*check_approval/s);
    expect(await contentOf(stage)).toEqual(before);
  });
});

/** Ids and times differ from one workspace to the other: each gets a number, by its first place. */
function withoutIds(text: string): string {
  const seen = new Map<string, string>();
  return (
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!seen.has(id)) seen.set(id, `id ${seen.size}`);
        return seen.get(id) as string;
      })
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "time")
      .replaceAll(/("webhook-timestamp"):"\d+"/g, "$1")
      .replaceAll(/"ms":\d+/g, '"ms":0')
      // What is shown once is not kept with the approval, so there its place is covered.
      .replaceAll(/"(?:whsec_[^"]*|test_[^"]*|•+)"/g, '"secret"')
  );
}

async function rowsAdded(stage: Stage, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await stage.rows();
  await work();
  const after = await stage.rows();
  return Object.fromEntries(
    Object.keys(after)
      .filter((name) => !BESIDE.includes(name) && name !== "audit_log")
      .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
  );
}

describe.each(writing)("%s with a key whose writes need approval", (name, operation: Operation) => {
  test("answers 202 and changes nothing, and once approved has done and answered what it does when it is called", async () => {
    const plain = await castOf(name);
    const key = await plain.stage.key();
    let called: SurfaceAnswer | undefined;
    const addedByCall = await rowsAdded(plain.stage, async () => {
      called = await send(operation, plain.input, { key });
    });

    const { stage, input, as } = await castOf(name);
    const before = await contentOf(stage);
    const waitingBefore = (await pendingOf(stage)).length;
    const answers: SurfaceAnswer[] = [];
    for (let time = 0; time < twice[operation.contract.http.method]; time++)
      answers.push(
        await send(operation, input, as, (sent) => {
          if (operation.contract.http.method === "POST") sent.init.headers["idempotency-key"] = "the-same";
        }),
      );
    for (const { status, body, text } of answers) {
      expect([status, body.status], text).toEqual([202, "pending_approval"]);
      expect(text).toBe(answers[0]?.text);
    }
    expect(await contentOf(stage)).toEqual(before);
    const id = answers[0]?.body.approval_id as string;
    const waiting = await pendingOf(stage);
    expect(waiting).toHaveLength(waitingBefore + 1);
    expect(waiting.filter((one) => one.id === id)).toMatchObject([{ operation: name, status: "pending" }]);

    let approved: Record<string, unknown> = {};
    const addedByApproval = await rowsAdded(stage, async () => {
      approved = await stage.run("approveChange", { id });
    });
    expect(approved.status, JSON.stringify(approved.result)).toBe("approved");
    expect(withoutIds(JSON.stringify(approved.result ?? {}))).toBe(withoutIds(JSON.stringify(called?.body)));
    expect(addedByApproval).toEqual(addedByCall);
    expect((await pendingOf(stage)).filter((one) => one.id === id)).toMatchObject([{ status: "approved" }]);
  });
});

const refusing = [...oneOfEachKind(writing), ...writing.filter(([name]) => inputsThatWrite[name] !== undefined)];

describe.each(refusing)("%s with a key whose writes need approval", (name, operation) => {
  test("is refused as ever, and keeps nothing, without the scope or with a field that it does not have", async () => {
    const { stage, input, as } = await castOf(name);
    const reader = { key: await stage.key(["read"], { approval: "writes" }) };
    const refused = await send(operation, input, reader);
    expect([refused.status, refused.body.error]).toEqual([403, "insufficient_scope"]);
    const unknown = await send(operation, { ...input, no_such_field: { deep: true } }, as);
    expect([unknown.status, unknown.body.error], unknown.text).toEqual([400, "unknown_parameter"]);
    expect(await pendingOf(stage)).toEqual([]);
  });
});
