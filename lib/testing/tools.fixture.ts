import { expect } from "vitest";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import { connectCrm } from "./crm.fixture.ts";

type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };

/** What the official clients of both generations have in common. */
export type ToolClient = {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
};

/** What was made on the way: the ids of a person, a note and a task. */
type FixtureIds = { entity: string; note: string; task: string };

const focus = "anna@acme.com";
const secret = `whsec_${"a".repeat(43)}=`;

/** A right call of every tool, in an order in which each finds what it needs. */
const calls: Readonly<Record<string, (made: FixtureIds) => Record<string, unknown>>> = {
  record: () => ({ focus, observations: [{ kind: "state", property: "job_title", value: "CFO" }] }),
  save_note: () => ({ focus, content: "The budget is 40,000 euros.", title: "Call" }),
  get_context: () => ({ focus, intent: "draft_email", budget_tokens: 1000 }),
  get_account: ({ entity }) => ({ id: entity }),
  query: () => ({ scope: { kind: "state" }, question: "cfo" }),
  attention: () => ({}),
  verify: () => ({ focus, property: "job_title", confirm: true }),
  search_notes: () => ({ question: "What is the budget?" }),
  update_gtm_profile: () => ({ section: "ICP", content: "Fintechs in the EU" }),
  build_scoring_model: () => ({ force: true }),
  get_gtm_profile: () => ({ categories: ["ICP"] }),
  get_workspace_status: () => ({}),
  set_workspace_profile: () => ({ business_type: "software" }),
  find_people: () => ({ title: "CFO", company: { industry: "not:fintech" }, not_contacted_for: "30d" }),
  add_to_list: () => ({ list: "CFOs", filters: { title: "CFO" } }),
  list_properties: () => ({ subject: "person" }),
  connect_integration: () => ({ provider: "fathom", credentials: { signing_secret: secret } }),
  configure_crm_sync: () => ({ provider: "hubspot", autoSync: false }),
  set_trigger: () => ({ url: "https://hooks.example.com/rapport", events: ["stage.advanced"] }),
  list_triggers: () => ({}),
  create_task: () => ({ title: "Send the offer", due: "2026-06-05", focus }),
  list_tasks: () => ({ focus }),
  update_task: ({ task }) => ({ id: task, done: true }),
  score: () => ({ rows: [{ focus, job_title: "CFO" }] }),
  what_changed: () => ({ since: "1d" }),
  search: () => ({ query: "Anna" }),
  list_threads: () => ({ focus }),
  who_knows: ({ entity }) => ({ id: entity }),
  fetch: ({ note }) => ({ id: `note:${note}` }),
};

/** Calls each tool that the client sees once, in a workspace of its own. Each must answer with text and structured content. */
export async function driveEveryTool(client: ToolClient): Promise<string[]> {
  const offered = new Set((await client.listTools()).tools.map(({ name }) => name));
  expect(
    [...offered].filter((name) => !(name in calls)),
    "tools that lib/testing/tools.fixture.ts does not know",
  ).toEqual([]);
  const made: FixtureIds = { entity: "", note: "", task: "" };
  for (const [name, given] of Object.entries(calls)) {
    if (!offered.has(name)) continue;
    const result = (await client.callTool({ name, arguments: given(made) })) as Result;
    expect(result.isError, `${name}: ${result.content[0]?.text}`).toBeFalsy();
    expect(result.structuredContent, name).toBeTypeOf("object");
    expect(result.content[0]?.text, name).toBeTruthy();
    if (name === "get_workspace_status") {
      const { workspace, setup } = result.structuredContent as {
        workspace: { id: string };
        setup: { integrations: { connected: { provider: string }[] } };
      };
      const row = await findWorkspace(workspace.id);
      const isConnected = JSON.stringify(setup.integrations.connected).includes("hubspot");
      if (row && !isConnected) await connectCrm(row.id);
    }
    const { entity_id, note, task } = result.structuredContent as Partial<
      Record<"note" | "task", { id: string }> & { entity_id: string }
    >;
    if (name === "record") made.entity = entity_id as string;
    if (name === "save_note") made.note = note?.id as string;
    if (name === "create_task") made.task = task?.id as string;
  }
  return [...offered];
}
