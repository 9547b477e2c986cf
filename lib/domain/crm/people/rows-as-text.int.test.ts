/** Lists show a person, company or lead as text that is stored in the row. Whichever writer changes the columns, the text says the same. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { Lead } from "#lib/domain/crm/leads/contract.ts";
import { leadStatuses, replyOutcomes } from "#lib/domain/crm/recording/contract.ts";
import { stages } from "#lib/domain/crm/recording/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { rescoreAll } from "#lib/domain/knowledge/scoring/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { addRow } from "#lib/testing/rows.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { everyStatement } from "#lib/testing/statements.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { Company } from "./contract.ts";
import { findPersonJson, restoreTimes } from "./service.ts";

const { call } = useServer();

type Row = Record<string, unknown> & { id: string; owner: string; custom: Record<string, unknown> };
const time = (value: unknown): string | null => (value as Date | null)?.toISOString() ?? null;

/** The end of a row's JSON, made of its columns in plain code. */
const endOf = (row: Row): string =>
  JSON.stringify({
    owner: row.owner === "" ? null : row.owner,
    pipeline_stage: row.pipeline_stage,
    icp_score: row.icp_score,
    last_activity_at: time(row.last_activity_at),
    updated_at: time(row.updated_at),
  });

/** A row's JSON, made of its columns in plain code. */
function jsonOf(row: Row): string {
  const properties = Object.fromEntries(Object.entries(row.custom).sort(([a], [b]) => (a < b ? -1 : 1)));
  const begin = JSON.stringify({
    id: row.id,
    entity_id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    job_title: row.job_title,
    company: row.company,
    company_id: row.company_id,
    linkedin_url: row.linkedin_url,
    phone: row.phone,
    source: row.source,
    status: row.status,
    created_at: time(row.created_at),
    properties,
  });
  return `${begin.slice(0, -1)},${endOf(row).slice(1)}`;
}

const moments = fc.date({
  min: new Date("0001-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});
const texts = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", `"`, "\\", `a"b\\c/d`, "\n\r\t\b\f\u0001\u001f\u007f", "\u2028\u2029", "Zoë 李 😀", "null"),
  )
  .map((text) => text.replaceAll("\0", "").toWellFormed());
const columns = fc.record({
  owner: texts,
  pipeline_stage: fc.constantFrom(...stages),
  icp_score: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  last_activity_at: fc.option(moments),
  updated_at: moments,
});

test("is printed as JSON prints it, whatever the columns hold, and again when one of them changes", async () => {
  const { id: workspaceId } = await createTestWorkspace();
  const id = newId();
  await inspect("INSERT INTO entities (workspace_id, id, type) VALUES ($1, $2, 'person')", [workspaceId, id]);
  await inspect(
    `INSERT INTO people (workspace_id, id, source, created_at, updated_at, search, wire) VALUES ($1, $2, 'api', now(), now(), '', '{"id":1')`,
    [workspaceId, id],
  );
  const shown = async () => {
    const [row] = await inspect<Row>("SELECT * FROM people WHERE workspace_id = $1 AND id = $2", [workspaceId, id]);
    return row as Row;
  };
  const expectText = async () => {
    const row = await shown();
    expect(row.wire_end).toBe(`,${endOf(row).slice(1)}`);
    return row.wire_end;
  };
  await fc.assert(
    fc.asyncProperty(columns, async (given) => {
      for (const [column, value] of Object.entries(given)) {
        await inspect(`UPDATE people SET ${column} = $3 WHERE workspace_id = $1 AND id = $2`, [workspaceId, id, value]);
        await expectText();
      }
      expect(await shown()).toMatchObject(given);
    }),
    { numRuns: 40 },
  );
});

/** JSON has no negative zero. */
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
// Without escapes: Node 24.21 can read a short name of a member that ends with one as if it ended with a backslash.
const names = fc.stringMatching(/^[a-zé李😀][a-z0-9_ é李😀/]{0,20}$/u);
const custom = fc.dictionary(names, fc.oneof(texts, fc.integer(), numbers, fc.boolean(), fc.array(texts)));

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
const OBJECTS: ReadonlySet<string> = new Set(["custom", "fields"]);

/** What the database prints whole, with the columns that it prints and what they mean. */
const printed = [
  {
    table: "companies",
    text: "wire || wire_end",
    fields: Object.keys(Company.shape),
    columns: fc.record({
      domain: fc.option(texts),
      name: fc.option(texts),
      linkedin_url: fc.option(texts),
      industry: fc.option(texts),
      employee_count: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      country: fc.option(texts),
      owner: texts,
      people_count: fc.nat(),
      icp_score: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      last_activity_at: fc.option(moments),
      source: texts,
      status: fc.constantFrom("active", "archived"),
      created_at: moments,
      updated_at: moments,
      custom,
    }),
    said: ({ custom: properties, owner, ...row }: Row) => ({
      ...row,
      entity_id: row.id,
      owner: owner || null,
      properties,
    }),
  },
  {
    table: "leads",
    text: "wire",
    fields: Object.keys(Lead.shape),
    columns: fc
      .record({
        email: fc.option(texts),
        name: fc.option(texts),
        company: fc.option(texts),
        linkedin_url: fc.option(texts),
        status: fc.constantFrom(...leadStatuses),
        sent_at: fc.option(moments),
        replied_at: moments,
        reply_outcome: fc.option(fc.constantFrom(...replyOutcomes)),
        score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        fields: custom,
        created_at: moments,
        updated_at: moments,
      })
      .map((lead) => ({ ...lead, replied_at: lead.status === "replied" ? lead.replied_at : null })),
    said: ({ list_id, score, ...row }: Row) => ({ ...row, lead_list_id: list_id, scorecard_score: score }),
  },
] as const;

test.each(printed)("of $table is what the columns say, whatever they hold", async (list) => {
  const { table, text, fields, columns, said } = list;
  const { id: workspaceId } = await createTestWorkspace();
  const id = await addRow(table, workspaceId);
  await fc.assert(
    fc.asyncProperty(columns as fc.Arbitrary<Record<string, unknown>>, async (given) => {
      const set = Object.keys(given).map((column, place) => `${column} = $${place + 3}`);
      const values = Object.entries(given).map(([column, value]) =>
        OBJECTS.has(column) ? JSON.stringify(value) : value,
      );
      const [row] = await inspect<Row & { text: string }>(
        `UPDATE ${table} SET ${set.join(", ")} WHERE workspace_id = $1 AND id = $2 RETURNING *, ${text} AS text`,
        [workspaceId, id, ...values],
      );
      const stored = asJson(row);
      expect(Object.keys(given).map((column) => stored[column])).toEqual(Object.values(asJson(given)));
      const meant = asJson(said(row as Row));
      expect(JSON.parse(row?.text ?? "")).toEqual(Object.fromEntries(fields.map((field) => [field, meant[field]])));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["people", "wire_end"],
  ["companies", "wire"],
  ["companies", "wire_end"],
  ["leads", "wire"],
])("no writer can set what the database makes text of: %s.%s", async (table, column) => {
  await expect(inspect(`UPDATE ${table} SET ${column} = ''`)).rejects.toThrow("can only be updated to DEFAULT");
});

test("what else is written of a row than the whole row is what the database makes text of", async () => {
  const setBy = (text: string): string[] => {
    const set = /UPDATE people(?: AS)?(?: (?!SET\b)\w+)? SET ([\s\S]*?)(?: FROM | WHERE |$)/.exec(text)?.[1] ?? "";
    return [...set.matchAll(/(?:^|, )(\w+) = /g)].map(([, column = ""]) => column);
  };
  const columns = new Set((await everyStatement()).flatMap(({ text }) => setBy(text)));
  expect([...columns].sort()).toEqual([
    "icp_score",
    "last_activity_at",
    "pipeline_stage",
    "scored",
    "search",
    "updated_at",
  ]);
});

const signals = [
  { key: "senior", label: "Decides", weight: 6, rule: { feature: "seniority", op: "in", value: ["c_level"] } },
];

test("is never stale: each writer of a field shows it at once", async () => {
  const workspace = await createTestWorkspace({ listening: true });
  const ada = await addTestMember(workspace, "Ada", "owner");
  const key = await workspace.key();
  const send = async (path: string, body?: object, method?: string) => {
    const answer = await call(path, { key, ...(body && { body }), ...(method && { method }) });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as Record<string, never>;
  };
  const email = "anna@acme.com";
  const { person } = (await send("/v2/people", { email })) as unknown as { person: { id: string } };
  const patch = (body: object) => send(`/v2/people/${person.id}`, body, "PATCH");
  const observe = (property: string, value: unknown) =>
    send("/v2/observations", { focus: person.id, observations: [{ kind: "state", property, value }] });
  const capture = (type: string, more: object = {}) => send("/api/v1/capture", { email, type, ...more });

  /** The lists show what the columns say; what they show of Anna. */
  const expectFresh = async (): Promise<Record<string, unknown>> => {
    const rows = await inspect<Row>("SELECT * FROM people WHERE workspace_id = $1", [workspace.id]);
    const listed = await Promise.all(
      ["active", "archived"].map(async (status) => (await call(`/v2/people?status=${status}`, { key })).body.people),
    );
    const byId = (list: { id: string }[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(listed.flat() as { id: string }[])).toEqual(byId(rows.map((row) => JSON.parse(jsonOf(row)))));
    const stored = await withWorkspace(workspace.id, (db) => findPersonJson(db, person.id));
    expect(stored).toBe(jsonOf(rows.find(({ id }) => id === person.id) as Row));
    return JSON.parse(stored as string);
  };

  let before = await expectFresh();
  const changes = async (field: string, write: () => Promise<unknown>) => {
    await write();
    const after = await expectFresh();
    expect([field, after[field]]).not.toEqual([field, before[field]]);
    before = after;
  };

  await changes("first_name", () => patch({ first_name: 'An"na\\ \u2028 😀' }));
  await changes("last_name", () => send("/v2/people", { email, last_name: "O'Neil\tZoë" }));
  await changes("job_title", () => send("/v2/people/bulk", { people: [{ email, job_title: "CEO" }] }));
  await changes("phone", () => patch({ phone: "+4930123456" }));
  await changes("linkedin_url", () => patch({ linkedin_url: "linkedin.com/in/anna" }));
  await changes("email", () => patch({ email: "anna@new.example" }));
  await changes("properties", () => patch({ tags: ["a,b", '"'], n: 1.5, yes: true, a_longer_name: "x" }));
  await changes("owner", () => patch({ owner: ada.email }));
  await changes("owner", () => patch({ owner: null }));
  await changes("pipeline_stage", () => patch({ pipeline_stage: "aware" }));
  await changes("icp_score", () => observe("icp_score", 42));
  await changes("last_activity_at", () => capture("email_sent", { occurred_at: "2026-01-02T03:04:05.678Z" }));
  await changes("pipeline_stage", () => capture("email_received"));
  await changes("updated_at", () => capture("email_sent", { occurred_at: "2026-01-01T00:00:00Z" }));
  await changes("job_title", () => observe("job_title", "Chief Executive Officer"));
  await changes("icp_score", async () => {
    await send("/v2/workspace/scoring-model", { signals });
    await rescoreAll(workspace.id);
  });
  await changes("icp_score", async () => {
    await patch({ job_title: "Gardener" });
    await rescoreAll(workspace.id);
  });
  await changes("company", () => send("/v2/companies", { domain: "new.example", name: 'New "Ltd"' }));
  await changes("status", () => patch({ status: "archived" }));
  await changes("status", () => patch({ status: "active" }));
  const { person: other } = (await send("/v2/people", { email: "anna@home.example" })) as unknown as {
    person: { id: string };
  };
  await send("/api/v1/capture", { email: "anna@home.example", type: "email_sent" });
  let merge: string | undefined;
  await changes("updated_at", async () => {
    ({ merge_id: merge } = await send("/v2/accounts/merge", { keep: person.id, drop: other.id }));
  });
  await send("/v2/accounts/unmerge", { merge_id: merge });
  await expectFresh();
  expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  await expectFresh();
  await changes("updated_at", () =>
    withWorkspace(workspace.id, (db) =>
      restoreTimes(db, { [person.id]: "2026-02-03T04:05:06.007Z" }, "9999-01-01T00:00:00Z"),
    ),
  );
});
