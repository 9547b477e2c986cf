/** Whole jobs of an agent by tools alone, with the official client: what each answer must hold to go on. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { addIdentifier } from "#lib/domain/knowledge/contacts/service.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();

type Result = { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> };
type ToolInput = Record<string, unknown>;

/** A workspace and an agent in it. `call` gives the text that the model reads, `refused` the text of a refusal. */
async function agent() {
  const workspace = await createTestWorkspace();
  const client = new Client({ name: "agent", version: "1.0" });
  const requestInit = { headers: { authorization: `Bearer ${await workspace.key()}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url()}/mcp`), { requestInit }));
  const send = async (name: string, given: ToolInput) => (await client.callTool({ name, arguments: given })) as Result;
  return {
    workspace,
    async call(name: string, given: ToolInput = {}) {
      const { isError, content, structuredContent } = await send(name, given);
      expect(isError, `${name}: ${content[0]?.text}`).toBeFalsy();
      return { text: content[0]?.text ?? "", structured: structuredContent };
    },
    async refused(name: string, given: ToolInput = {}) {
      const { isError, content } = await send(name, given);
      expect(isError, `${name} is refused`).toBe(true);
      return content[0]?.text ?? "";
    },
  };
}

const LINKEDIN = "https://www.linkedin.com/in/anna-smith";

const state = (property: string, value: unknown) => ({ kind: "state", property, value });

test("one way to say who: a name, a name with its company, an e-mail, a LinkedIn URL and an id mean the same record", async () => {
  const { workspace, call, refused } = await agent();
  const { structured } = await call("record", {
    focus: "anna@acme.com",
    observations: [state("first_name", "Anna"), state("last_name", "Smith"), state("job_title", "VP Sales")],
  });
  const id = structured.entity_id as string;
  await addIdentifier.execute(workspace.caller, { focus: id, kind: "linkedin_url", value: LINKEDIN });
  await call("record", { focus: "acme.com", observations: [state("name", "Acme")] });
  await call("record", {
    focus: "anna@globex.com",
    observations: [state("first_name", "Anna"), state("last_name", "Jones")],
  });
  for (const focus of ["Anna Smith", "Anna at Acme", "anna (acme)", "anna@acme.com", LINKEDIN, id]) {
    expect((await call("get_account", { id: focus })).text, focus).toContain(`entity id: ${id}`);
    expect((await call("create_task", { focus, title: `By ${focus}` })).structured, focus).toMatchObject({
      task: { entity_id: id },
    });
  }
  for (const [name, given] of [
    ["get_context", {}],
    ["verify", { property: "job_title" }],
    ["save_note", { content: "Wants SSO." }],
    ["record", { observations: [state("seniority", "vp")] }],
  ] as const)
    expect((await call(name, { focus: "Anna at Acme", ...given })).text, name).toContain(id);
  expect((await call("list_tasks", { focus: "Anna at Acme" })).text).toContain("By Anna Smith");
  for (const refusal of [
    (await call("get_context", { focus: "Anna" })).text,
    await refused("record", { focus: "Anna", observations: [state("budget", 1)] }),
  ]) {
    expect(refusal).toContain(`${id} Anna Smith (VP Sales at Acme · anna@acme.com)`);
    expect(refusal).toContain("Anna Jones");
  }
  for (const refusal of [
    await refused("get_context", { focus: "Ana Smit" }),
    await refused("create_task", { focus: "Ana Smit", title: "Call" }),
  ])
    expect(refusal).toMatch(new RegExp(`nearest: \\n<data>\\n- ${id} Anna Smith`));
});

const event = (property: string, value: unknown = {}) => ({ kind: "event", property, value });
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const tomorrow = (): string => inHours(24).slice(0, 10);

test("job: prepare me for my meeting with Anna at Acme tomorrow, then log the call, save the note, set the stage, add a task", async () => {
  const { call } = await agent();
  await call("record", {
    focus: "acme.com",
    observations: [state("name", "Acme"), state("country", "Germany"), state("employee_count", 1200)],
  });
  const start = inHours(26);
  await call("record", {
    focus: "anna@acme.com",
    observations: [
      state("first_name", "Anna"),
      state("last_name", "Smith"),
      state("job_title", "VP Sales"),
      event("meeting_scheduled", { description: "Pilot review", start }),
    ],
  });
  await call("create_task", { focus: "Anna at Acme", title: "Bring the offer", due: "tomorrow" });

  const { text: ahead } = await call("attention");
  expect(ahead).toContain("upcoming_meeting");
  const { text } = await call("get_context", { focus: "Anna at Acme", intent: "meeting_prep" });
  expect(text).toContain("Anna Smith, VP Sales at Acme (Germany, 1,200 people)");
  expect(text).toContain(`Next: meeting scheduled on ${start.slice(0, 10)}`);
  expect(text).toContain(`${start.slice(0, 16).replace("T", " ")} meeting_scheduled: Pilot review`);
  expect(text).toMatch(new RegExp(`TASKS[\\s\\S]*Bring the offer[\\s\\S]*${tomorrow()}`));

  const { structured } = await call("record", {
    focus: "Anna at Acme",
    observations: [event("interaction.call", { description: "Wants SSO" }), state("pipeline_stage", "evaluating")],
  });
  const id = structured.entity_id as string;
  const { text: saved } = await call("save_note", { focus: "Anna Smith", content: "Budget approved.", title: "Call" });
  expect(saved).toContain(`entity id: ${id}`);
  const { text: added } = await call("create_task", { focus: id, title: "Send the offer", due: "in 3 days" });
  expect(added).toContain(`Send the offer (Anna Smith) due ${inHours(72).slice(0, 10)}`);
  const { text: account } = await call("get_account", { id: "Anna at Acme" });
  expect(account).toMatch(/person, active, stage evaluating/);
  expect(account).toContain("Wants SSO");
});

test("job: all fintech CFOs in Europe that nobody contacted for 30 days with a score over 70, into a list", async () => {
  const { call } = await agent();
  const record = (focus: string, fields: Record<string, unknown>, events: object[] = []) =>
    call("record", {
      focus,
      observations: [
        ...Object.entries(fields).map(([property, value]) => ({ kind: "state", property, value })),
        ...events,
      ],
    });
  const sent = [{ kind: "event", property: "email_sent", value: {} }];
  await record("acme.de", { name: "Acme", industry: "Fintech", country: "Deutschland" });
  await record("umbra.com", { name: "Umbra", industry: "Fintech", country: "US" });
  await record("anna@acme.de", {
    first_name: "Anna",
    last_name: "Smith",
    job_title: "Finanzvorstand",
    icp_score: 90,
  });
  await record("bob@acme.de", { first_name: "Bob", job_title: "CFO", icp_score: 90 }, sent);
  await record("carla@acme.de", { first_name: "Carla", job_title: "CFO", icp_score: 50 });
  await record("dora@umbra.com", { first_name: "Dora", job_title: "CFO", icp_score: 90 });

  const filters = {
    title: "CFO",
    company: { industry: "fintech", region: "Europe" },
    not_contacted_for: "30d",
    min_icp_score: 71,
  };
  const found = await call("find_people", filters);
  expect(found.text).toContain("1 match, 1 shown.");
  expect(found.text).toMatch(
    /- Anna Smith: Finanzvorstand at Acme, anna@acme\.de, score 90, identified, never active \[[0-9a-f-]{36}\]/,
  );
  expect(found.structured).toMatchObject({ total: { count: 1, capped: false }, next_cursor: null });

  const added = await call("add_to_list", { list: "Fintech CFOs, Europe", filters });
  const [, list] = /list id: ([0-9a-f-]{36})/.exec(added.text) ?? [];
  await expect
    .poll(async () => (await call("find_people", { list_id: list })).text, { timeout: 30_000 })
    .toContain("Anna Smith");
  expect((await call("find_people", { list_id: list })).text).toContain("1 match, 1 shown.");
  const again = await call("add_to_list", { list: "fintech cfos, europe", filters: { title: "CTO" } });
  expect(again.text).toContain(`list id: ${list}`);
});

test("job: what changed since yesterday", async () => {
  const { workspace, call, refused } = await agent();
  await call("record", { focus: "acme.com", observations: [state("name", "Acme")] });
  await call("record", {
    focus: "anna@acme.com",
    observations: [state("first_name", "Anna"), state("last_name", "Smith"), state("job_title", "CFO")],
  });
  const before = new Date().toISOString();
  await call("record", {
    focus: "anna@acme.com",
    observations: [event("interaction.email_received", { description: "Asks for pricing" })],
  });
  await call("record", { focus: "Anna at Acme", observations: [state("job_title", "VP Sales")] });
  await settled(workspace.id);
  const { text } = await call("what_changed", { since: "yesterday" });
  expect(text).toMatch(/^2 records changed\.\n\nCHANGES\n<data>\n- Anna Smith, Acme: job title now VP Sales; /);
  const { text: late } = await call("what_changed", { since: before });
  expect(late).toMatch(/^1 record changed/);
  expect(late).toMatch(
    /- Anna Smith, Acme: job title CFO → VP Sales; stage now interested after email received; email received: Asks for pricing \[/,
  );
  expect((await call("what_changed", { since: "1d", focus: "Acme" })).text).toMatch(
    /^1 record changed.*\n\n.*\n<data>\n- Acme: /,
  );
  expect((await call("what_changed", { since: inHours(1) })).text).toBe("Nothing changed.");
  expect(await refused("what_changed", { since: "soon" })).toMatch(
    /^invalid_parameter: since: must be days such as 1d/,
  );
});

test("a section of the profile in any case, a score without a record, and refusals in words of tools", async () => {
  const { call, refused } = await agent();
  await call("update_gtm_profile", { section: "Market", content: "Banks in the EU" });
  const { text: market } = await call("get_gtm_profile", { categories: ["market"] });
  expect(market).toMatch(/MARKET\n- Banks in the EU/);
  expect(market).not.toContain("Not written yet");
  expect((await call("get_gtm_profile", { categories: ["icp"] })).text).toContain("Not written yet: icp");
  expect(await refused("get_gtm_profile", { categories: ["Pricin"] })).toMatch(
    /^invalid_parameter: categories: there is no section Pricin; there are ICP, Market, /,
  );
  expect((await call("score", { rows: [{ focus: "bo@globex.com" }] })).text).toContain("no scoring model");
  await call("update_gtm_profile", { section: "ICP", content: "VP Sales and CFOs at fintech companies." });
  await call("build_scoring_model");
  const rows = [{ focus: "bo@globex.com", job_title: "CFO", industry: "Fintech" }, { focus: "globex.com" }];
  const { text: scores } = await call("score", { rows });
  expect(scores).toMatch(/- bo@globex\.com: \d+, tier_\d\. For: /);
  expect(scores).toContain("- globex.com: no score");
  expect(await refused("get_account", { id: "bo@globex.com" })).toMatch(/^entity_not_found/);
  const again = await refused("build_scoring_model");
  expect(again).toMatch(/signals: \n- \+\d/);
  expect(again).not.toContain("[object Object]");
});
