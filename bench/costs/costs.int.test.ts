/** No release is dearer than the last without someone saying so: see `costs.ts`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { everyStatement } from "#lib/testing/statements.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { generateContacts } from "../generate.ts";
import { readsMuch, readsMuchBefore17 } from "../plans/much.ts";
import { isMuch, readingsOf } from "../plans/reads.ts";
import { type Cost, costs } from "./costs.ts";
import { type Traffic, watchDriver } from "./driver.ts";
import { readsOf } from "./plan.ts";

/** With another number only the last test passes. */
const PEOPLE = Number(process.env.COSTS_PEOPLE ?? 20_000);
/** The first requests also look up the key, prepare statements and make plans, which are kept afterwards. */
const WARM = 4;
const ROUNDS = 5;

type Request = { path: string; body?: unknown };

type Ask = (email: string, round: number) => Request;

/** The request of a round; each round is about someone else. `before`: what is sent first, and not counted. */
type Operation = { name: string; reads: boolean; ask: Ask; before?: Ask };

const read = (name: string, path: string): Operation => ({ name, reads: true, ask: () => ({ path }) });

const capture: Ask = (email) => ({
  path: "/api/v1/capture",
  body: { email, type: "meeting_held", source: "costs", external_id: email },
});

const operations: readonly Operation[] = [
  read("list people", "/v2/people"),
  read("list people by stage", "/v2/people?pipeline_stage=interested"),
  read("list people without LinkedIn", "/v2/people?has_linkedin=false"),
  read("search people", "/v2/people?search=featherstonehaugh"),
  read("list companies", "/v2/companies"),
  read("list facts", "/v2/workspace/facts"),
  { name: "get an account", reads: true, ask: (email) => ({ path: `/v2/accounts/${encodeURIComponent(email)}` }) },
  { name: "get a context", reads: true, ask: (focus) => ({ path: "/v2/context", body: { focus } }) },
  { name: "capture an activity", reads: false, ask: capture },
  { name: "capture it again", reads: false, before: capture, ask: capture },
  {
    name: "record one state",
    reads: false,
    ask: (focus, round) => ({
      path: "/v2/observations",
      body: { focus, observations: [{ kind: "state", property: "job_title", value: `Title ${round}` }] },
    }),
  },
  {
    name: "update a person",
    reads: false,
    ask: (email, round) => ({ path: "/v2/people", body: { email, last_name: `Name ${round}` } }),
  },
  read(
    "find people by title, company and contact",
    "/v2/people?title=CFO&company.industry=finance&not_contacted_for=36500d&include=count",
  ),
];

const driver = watchDriver();
const server = useServer();
let workspace: TestWorkspace;
let key: string;
let emails: string[];

beforeAll(async () => {
  workspace = await createTestWorkspace();
  key = await workspace.key();
  await generateContacts({
    url: database.adminUrl,
    workspaceId: workspace.id,
    ...{ people: PEOPLE, companies: PEOPLE / 5, observationsPerPerson: 5, workspaces: 3 },
  });
  for (const section of ["ICP", "Product", "Pricing"])
    await server.call("/v2/workspace/facts", {
      key,
      body: { section, content: "Series A fintechs in the EU.".repeat(10) },
    });
  const rows = await inspect<{ email: string }>(
    "SELECT email FROM people WHERE workspace_id = $1 AND pipeline_stage = 'identified' ORDER BY email LIMIT $2",
    [workspace.id, operations.length * (WARM + ROUNDS)],
  );
  emails = rows.map(({ email }) => email);
}, 120_000);
afterAll(() => driver.stop());

/** Asks in several rounds; what depends on how answers come in (two in one packet) is the least of them. */
async function costOf(operation: Operation): Promise<Omit<Cost, "why">> {
  const { reads, ask, before } = operation;
  const send = async ({ path, body }: Request): Promise<number> => {
    const answer = await server.call(path, { key, body, headers: { "accept-encoding": "identity" } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return Number(answer.headers.get("content-length"));
  };
  const rounds: { traffic: Traffic; bytes: number }[] = [];
  const first = operations.indexOf(operation) * (WARM + ROUNDS);
  for (const [round, email] of emails.slice(first, first + WARM + ROUNDS).entries()) {
    if (before) await send(before(email, round));
    let bytes = 0;
    const traffic = await driver.during(async () => {
      bytes = await send(ask(email, round));
    });
    if (round >= WARM) rounds.push({ traffic, bytes });
  }
  const least = (pick: (round: (typeof rounds)[number]) => number) => Math.min(...rounds.map(pick));
  // What the process writes now and then, as the log of calls, may fall into a round.
  const [quiet] = rounds.toSorted((one, other) => one.traffic.sent.length - other.traffic.sent.length);
  const statements = quiet?.traffic.sent ?? [];
  return {
    statements: least(({ traffic }) => traffic.sent.length),
    waits: least(({ traffic }) => traffic.waits),
    bytes: least((round) => round.bytes),
    ...(reads ? await readsOf(workspace.id, statements) : { rows: null, blocks: null }),
  };
}

describe("at 20,000 people it costs what is written down", () => {
  test.each(operations)("to $name", async (operation) => {
    const cost = await costOf(operation);
    const expected = costs[operation.name];
    const { rows, blocks, why } = expected as Cost;
    // The planner chooses by samples: a few more or fewer are read each time.
    const near = (read: number | null, least: number, before: number | null) =>
      read !== null && before !== null && Math.abs(read - before) <= Math.max(least, before / 10) ? before : read;
    const reads = { rows: near(cost.rows, 5, rows), blocks: near(cost.blocks, 3, blocks) };
    expect({ ...cost, ...reads, why }).toEqual(expected);
  });
});

test("no statement reads much more than comes of it, but those that say why", { timeout: 600_000 }, async () => {
  const idsOf = async (text: string) => (await inspect<{ id: string }>(text, [workspace.id])).map(({ id }) => id);
  const whose = [
    await idsOf("SELECT id FROM companies WHERE workspace_id = $1 ORDER BY people_count DESC LIMIT 1"),
    await idsOf("SELECT id FROM people WHERE workspace_id = $1 ORDER BY id LIMIT 200"),
  ];
  const declared = await everyStatement();
  const [server] = await inspect<{ version: number }>("SELECT current_setting('server_version_num')::int AS version");
  const allowed = new Set([...Object.keys(readsMuch), ...((server?.version ?? 0) < 170_000 ? readsMuchBefore17 : [])]);
  const statements = declared.filter(({ name }) => !allowed.has(name));
  const readings = await readingsOf(database.url, workspace.id, whose, statements);
  expect(readings.filter(isMuch)).toEqual([]);
  expect(readings.length, "that the database took with these values").toBeGreaterThan(statements.length * 0.9);
  expect(declared.length - statements.length, "of the names that are allowed").toBe(allowed.size);
});
