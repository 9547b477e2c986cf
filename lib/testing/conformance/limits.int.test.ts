/** Keys with limits: what is hidden from one appears in no answer to it, whatever it calls, and kinds it is not for are refused. */
import { describe, expect, test } from "vitest";
import { recordKinds } from "#lib/core/limits.ts";
import { scopeIncludes } from "#lib/core/plans.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { reachOf } from "#lib/domain/reach.ts";
import { inspect } from "../database.ts";
import { eventsOf } from "../events.fixture.ts";
import { useServer } from "../server.fixture.ts";
import { everyOperation } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { sender } from "./surface.ts";
import { callTool, givenOf } from "./tool-calls.ts";

const server = useServer();
const { send } = sender(server.url);

const PHONES = ["+4930123456701", "+4930123456702"] as const;
const SALARY = "salarymark";
const marks = [...PHONES.map((phone) => phone.slice(3)), SALARY];

/** Anna and Acme of the examples, with values that are to be hidden: some of them disputed, some old. */
async function marked(): Promise<Stage> {
  const stage = await createStage();
  await stage.anna();
  const state = (property: string, value: string, source: string, more = {}) => ({
    ...{ kind: "state", property, value, source },
    ...more,
  });
  for (const [source, phone] of [
    ["crm", PHONES[0]],
    ["other", PHONES[1]],
  ] as const)
    await stage.run("recordObservations", {
      focus: "anna@acme.com",
      observations: [
        state("phone", phone, source, { method: "asserted" }),
        state("salary", `${SALARY} ${source}`, source, { method: "asserted" }),
      ],
    });
  await stage.run("recordObservations", { focus: "acme.com", observations: [state("salary", SALARY, "crm")] });
  return stage;
}

/** One for all operations that only read: they leave it as it was. */
let forReading: Promise<Stage> | undefined;
function markedFor({ contract }: Operation): Promise<Stage> {
  if (contract.http.method !== "GET") return marked();
  forReading ??= marked();
  return forReading;
}

async function keyOf(
  stage: Stage,
  { kinds = [] as string[], hidden = [] as string[], scopes = ["read", "write"] as const } = {},
) {
  const key = await stage.key(scopes);
  await inspect("UPDATE api_keys SET kinds = $2, hidden_fields = $3 WHERE workspace_id = $1", [
    stage.id,
    kinds,
    hidden,
  ]);
  return key;
}

const open = everyOperation.filter(
  ([, { contract }]) => contract.surface === "public" && scopeIncludes(["write"], contract.scope),
);
const hidden = ["phone", "salary"];
const shows = (text: string): string[] => marks.filter((mark) => text.includes(mark));

describe.each(open)("%s", (name, operation) => {
  test("never shows what is hidden, over REST and as a tool", async () => {
    const stage = await markedFor(operation);
    const input = await inputOf(name, stage);
    const key = await keyOf(stage, { hidden });
    const headers = { "idempotency-key": "once" };
    for (let time = 0; time < 2; time++) {
      const { status, text, body } = await send(operation, input, { key }, ({ init }) => {
        if (init.method === "POST") Object.assign(init.headers, headers);
      });
      expect(shows(text), text).toEqual([]);
      if (time === 0 && status >= 300) expect(body.error, text).toBe("beyond_limits");
    }
    const { tool } = operation.contract;
    if (!tool) return;
    const result = await callTool(server.url(), key, tool.name, givenOf(tool, await inputOf(name, stage)));
    expect(shows(JSON.stringify(result))).toEqual([]);
  });

  test("is refused to a key for other kinds before anything is read or written, and open to one for its own", async () => {
    const stage = await createStage();
    const input = await inputOf(name, stage);
    const needed = reachOf(name)?.kinds ?? null;
    const [missing = "people"] = needed ?? [];
    const other = await keyOf(stage, { kinds: recordKinds.filter((kind) => kind !== missing) });
    const before = await stage.rows();
    const refused = await send(operation, input, { key: other });
    if (needed === null || needed.length > 0) {
      expect(refused.body).toMatchObject({ error: "beyond_limits" });
      expect(await stage.rows()).toEqual(before);
    } else expect(refused.body.error, refused.text).not.toBe("beyond_limits");
    if (needed === null || needed.length === 0) return;
    await inspect("UPDATE api_keys SET kinds = $2 WHERE workspace_id = $1", [stage.id, needed]);
    const own = await keyOf(stage, { kinds: [...needed] });
    expect((await send(operation, input, { key: own })).body.error).not.toBe("beyond_limits");
  });
});

describe("what is hidden", () => {
  test("is named in no filter, sort or write, so that nothing tells it", async () => {
    const stage = await marked();
    const key = await keyOf(stage, { hidden });
    const refused = async (path: string, body?: unknown, method?: string) => {
      const answer = await server.call(path, {
        key,
        ...(body === undefined ? {} : { body }),
        ...(method ? { method } : {}),
      });
      expect([answer.status, answer.body.error], path).toEqual([403, "beyond_limits"]);
    };
    await refused("/v2/people?property.phone=exists:true");
    await refused("/v2/people?property.phone_number=exists:true");
    await refused(`/v2/people?property.salary=contains:${SALARY}`);
    await refused("/v2/people?property%5Bsalary%5D=x");
    await refused("/v2/people?company.salary=exists:true");
    await refused("/v2/companies?property.salary=exists:true");
    await refused("/v2/properties/salary/values");
    await refused("/v2/accounts/anna@acme.com/history?property=salary");
    await refused("/v2/verify", { focus: "anna@acme.com", property: "phone" });
    await refused("/v2/query", { scope: { property: "sal" }, return: "observations" });
    await refused("/v2/people", { email: "anna@acme.com", phone: PHONES[0] });
    await refused("/v2/people/anna@acme.com", { salary: "x" }, "PATCH");
    await refused("/v2/observations", {
      focus: "anna@acme.com",
      observations: [{ kind: "state", property: "salary", value: "x" }],
    });
    await refused("/v2/exports", { what: "people" });
  });

  test("of other kinds is reached by no filter either", async () => {
    const stage = await marked();
    const limited = (kinds: string[]) => keyOf(stage, { kinds });
    const listId = "019f0000-0000-7000-8000-000000000001";
    const people = await limited(["people"]);
    expect((await server.call("/v2/people", { key: people })).status).toBe(200);
    for (const [filter, kind] of [
      ["company.industry=fintech", "companies"],
      ["company[size]=gte:50", "companies"],
      [`list_id=${listId}`, "leads"],
    ])
      expect(await server.call(`/v2/people?${filter}`, { key: people })).toMatchObject({
        status: 403,
        body: { error: "beyond_limits", kind },
      });
    const both = await limited(["people", "companies", "leads"]);
    expect((await server.call("/v2/people?company.industry=fintech", { key: both })).status).toBe(200);
    expect((await server.call(`/v2/people?list_id=${listId}`, { key: both })).body.error).toBe("lead_list_not_found");
  });

  test("is left out of the account, the list, the context and the stream of changes, and the rest is there", async () => {
    const stage = await marked();
    const [all, key] = [await stage.key(["read"]), await keyOf(stage, { hidden })];
    await inspect("UPDATE api_keys SET hidden_fields = '{}' WHERE workspace_id = $1 AND scopes = '{read}'", [stage.id]);
    await expect // changes are told once nothing earlier can still commit
      .poll(async () => shows(JSON.stringify((await server.call("/v2/changes", { key: all })).body)).length)
      .toBe(marks.length);
    for (const path of ["/v2/people", "/v2/accounts/anna@acme.com", "/v2/people/anna@acme.com", "/v2/changes"]) {
      const [whole, limited] = [await server.call(path, { key: all }), await server.call(path, { key })];
      expect(shows(JSON.stringify(whole.body)).length, path).toBeGreaterThan(0);
      expect(shows(JSON.stringify(limited.body)), path).toEqual([]);
      expect(JSON.stringify(limited.body)).toMatch(/Head of Sales|anna@acme.com/);
    }
    const stream = await eventsOf(`${server.url()}/v2/changes`, { authorization: `Bearer ${key}` });
    const { changes } = (await server.call("/v2/changes", { key })).body as { changes: unknown[] };
    const seen: unknown[] = [];
    while (seen.length <= changes.length) seen.push((await stream.next())?.data); // its place comes first
    stream.leave();
    expect(seen.slice(1)).toEqual(changes);
    expect(shows(JSON.stringify(seen))).toEqual([]);
  });

  test("is neither named nor counted in the words of a context, of attention or of checks", async () => {
    const stage = await marked();
    await stage.run("recordObservations", {
      focus: "anna@acme.com",
      observations: [{ kind: "state", property: "pipeline_stage", value: "evaluating", source: "crm" }],
    });
    const key = await keyOf(stage, { hidden });
    const said = async (path: string, body?: object) =>
      JSON.stringify((await server.call(path, body ? { key, body } : { key })).body);
    const words = [
      await said("/v2/context", { focus: "anna@acme.com" }),
      await said("/v2/attention"),
      await said("/v2/workspace/checks"),
    ];
    expect(words[0]).toContain("anna@acme.com");
    for (const text of words) expect(text).not.toMatch(/phone|salary/i);
  });

  test("takes nothing else with it when it is called like a field of ours", async () => {
    const stage = await createStage();
    await stage.anna();
    const names = ["items", "people", "value", "values", "state", "claims", "changes", "limit", "company_id_of"];
    await stage.run("upsertPerson", {
      email: "anna@acme.com",
      ...Object.fromEntries(names.map((name) => [name, SALARY])),
    });
    const all = await stage.key(["read", "write"]);
    const ask = async (path: string, key: string) => (await server.call(path, { key })).body as Record<string, unknown>;
    const paths = ["/v2/people?limit=5", "/v2/attention", "/v2/activities", "/v2/accounts/anna@acme.com"];
    const before = await Promise.all(paths.map((path) => ask(path, all)));
    const key = await keyOf(stage, { hidden: names });
    for (const [index, path] of paths.entries()) {
      const answer = await ask(path, key);
      expect(Object.keys(answer), path).toEqual(Object.keys(before[index] ?? {}));
      expect(shows(JSON.stringify(answer))).toEqual([]);
    }
    const { people } = (await ask("/v2/people?limit=5", key)) as { people: { email: string }[] };
    expect(people).toMatchObject([{ email: "anna@acme.com" }]);
    const { claims } = (await ask("/v2/accounts/anna@acme.com", key)) as { claims: Record<string, { value: unknown }> };
    expect(claims.job_title?.value).toBe("Head of Sales");
  });

  test("is in no resource of MCP, and tools that could tell it are not listed", async () => {
    const stage = await marked();
    const key = await keyOf(stage, { hidden });
    const rpc = async (method: string, params: object) => {
      const answered = await fetch(`${server.url()}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return JSON.stringify(await answered.json());
    };
    const account = await rpc("resources/read", { uri: "rapport://accounts/anna@acme.com" });
    expect(account).toContain("Head of Sales");
    for (const text of [
      account,
      await rpc("resources/read", { uri: "rapport://attention" }),
      await rpc("resources/read", { uri: "rapport://activity" }),
      await rpc("tools/call", { name: "search", arguments: { query: "Anna" } }),
      await rpc("tools/call", { name: "fetch", arguments: { id: `contact:${await stage.anna()}` } }),
    ])
      expect(shows(text), text).toEqual([]);
    const tools = await rpc("tools/list", {});
    expect(tools).toContain('"name":"get_account"');
    expect(tools).not.toContain('"name":"query"');
  });

  test("waits for approval like any other write, and is not in what was kept of it", async () => {
    const stage = await marked();
    const key = await stage.key(["read", "write"], { approval: "writes" });
    await inspect("UPDATE api_keys SET kinds = '{people,companies}' WHERE workspace_id = $1", [stage.id]);
    const held = await server.call("/v2/people/anna@acme.com", { key, method: "PATCH", body: { job_title: "CRO" } });
    expect(held.status).toBe(202);
    expect((await server.call("/v2/tasks", { key })).body.error).toBe("beyond_limits");
  });
});
