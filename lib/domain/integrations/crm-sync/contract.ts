import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, nonBlank, Timestamp } from "#lib/core/schema.ts";

const tag = "CRM sync";
const count = z.int();

export const createTriggers = ["any", "engaged", "interested", "evaluating", "client"] as const;
export const CreateTrigger = z.enum(createTriggers);
export const hygieneCadences = ["daily", "weekly", "monthly"] as const;

/** What a sync does, field by field; the words are the API's documentation. */
const fields = {
  autoSync: z.boolean().describe("Push changes automatically, within about two minutes. Default true."),
  pushActivities: z.boolean().describe("Push notes and activities too. Default true."),
  createInCrm: z.boolean().describe("Create contacts missing in the CRM; else only update. Default false."),
  createTrigger: CreateTrigger.describe(
    "Who to create: any with an e-mail, engaged (has an activity), or that stage or further. Default engaged.",
  ),
  createRequireIcpFit: z.boolean().describe("Create only with a high enough ICP score. Default false."),
  createIcpThreshold: z.int().min(0).max(100).describe("ICP score needed, 0-100. Default 70."),
  hygieneEnabled: z.boolean().describe("Check linked CRM records from time to time. Default false."),
  hygieneCadence: z.enum(hygieneCadences).describe("How often to check. Default weekly."),
};

export const CrmConfig = z
  .strictObject({ provider: z.string(), ...fields })
  .meta({ id: "CrmConfig", description: "What is pushed to a CRM, and who is created there." });
export type CrmConfig = z.output<typeof CrmConfig>;
export type CrmRules = Omit<CrmConfig, "provider">;

export const runStates = ["queued", "running", "waiting", "blocked", "done", "failed", "cancelled"] as const;
export const RunState = z
  .enum(runStates)
  .describe(
    "`waiting`: the CRM could not be asked just now; it is tried again. `blocked`: the CRM refuses the token or was disconnected; it continues when it is connected again. `failed`: given up; start another.",
  );

export const CrmRun = z
  .strictObject({
    id: Id,
    provider: z.string(),
    kind: z
      .enum(["sync", "dry_run", "hygiene"])
      .describe("`dry_run`: nothing is changed in the CRM. `hygiene`: a check of the linked records."),
    cause: z.enum(["manual", "auto", "schedule"]),
    full: z.boolean().describe("Compares everyone, not only who changed since the last run."),
    state: RunState,
    total: count.nullable().describe("People to compare; null until they are listed."),
    compared: count,
    created: count.describe("Contacts created in the CRM, or that a dry run would create."),
    updated: count.describe("Contacts changed in the CRM, or that a dry run would change."),
    unchanged: count,
    skipped: count.describe("People the rules leave out; each row says why."),
    findings: count.describe("Linked records that a check found something about."),
    failed: count.describe("People the CRM did not take; each row says why."),
    matched: count.describe("Existing contacts of the CRM that were linked to people here."),
    notes: count.describe("Notes pushed."),
    activities: count.describe("Activities pushed."),
    message: z.string().nullable().describe("What is wrong and what to do about it; null when nothing is."),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: "CrmRun", description: "One comparison of people with a CRM." });
export type CrmRun = z.output<typeof CrmRun>;

export const outcomes = ["created", "updated", "unchanged", "skipped", "finding", "failed"] as const;

export const CrmRunRow = z
  .strictObject({
    contact_id: Id,
    name: z.string(),
    email: z.string().nullable(),
    outcome: z.enum(outcomes).nullable().describe("Of a dry run, what would be done. Null: not compared yet."),
    fields: z.array(z.string()).describe("The fields that were pushed, or would be."),
    notes: count,
    activities: count,
    record_id: z.string().nullable().describe("The contact's id in the CRM."),
    record_url: z.string().nullable(),
    message: z.string().nullable().describe("Why, and what to do."),
  })
  .meta({ id: "CrmRunRow", description: "One person of a run." });
export type CrmRunRow = z.output<typeof CrmRunRow>;

const example: CrmConfig = {
  provider: "hubspot",
  autoSync: true,
  pushActivities: true,
  createInCrm: true,
  createTrigger: "engaged",
  createRequireIcpFit: false,
  createIcpThreshold: 70,
  hygieneEnabled: false,
  hygieneCadence: "weekly",
};
const exampleRun: CrmRun = {
  id: "0190a6e0-0000-7000-8000-000000000051",
  provider: "hubspot",
  kind: "sync",
  cause: "manual",
  full: false,
  state: "done",
  total: 240,
  compared: 240,
  created: 12,
  updated: 31,
  unchanged: 190,
  skipped: 6,
  findings: 0,
  failed: 1,
  matched: 0,
  notes: 4,
  activities: 57,
  message: null,
  created_at: "2026-06-03T09:00:00.000Z",
  finished_at: "2026-06-03T09:01:10.000Z",
};

const feature = "crm_sync" as const;
const provider = nonBlank().describe("A connected CRM: hubspot or attio.");
const whatToName = { missing: { provider: "provider_required" } } as const;
const whichCrm = ["provider_required", "crm_not_connected"] as const;

export const configureCrmSync = defineOperation({
  name: "configureCrmSync",
  tag,
  summary: "Say what is pushed to a CRM, and who is created there",
  description:
    "Fields you leave out stay as they are; those never set have their default. The next run follows the new rules, for everyone. Sample data and people without an e-mail address are never pushed. 400 `crm_not_connected` when the provider is no CRM or not connected.",
  surface: "public",
  scope: "admin",
  feature,
  http: { method: "POST", path: "/v2/workspace/crm-sync" },
  input: z.strictObject({ provider, ...z.strictObject(fields).partial().shape }),
  output: z.strictObject({ ok: z.literal(true), config: CrmConfig }),
  errors: whichCrm,
  codes: whatToName,
  tool: {
    name: "configure_crm_sync",
    description: "Set what is pushed to a connected CRM. Fields left out stay as they are.",
    parameters: ["provider", ...Object.keys(fields)],
    hints: ["idempotent", "openWorld"],
  },
  example: { input: { provider: "hubspot", createInCrm: true }, output: { ok: true, config: example } },
});

export const CrmSync = z
  .strictObject({
    provider: z.string(),
    display_name: z.string(),
    connected: z.boolean(),
    account: z.string().nullable(),
    config: CrmConfig.nullable().describe("Null while it is not configured."),
    linked: count.describe("People who are linked to a contact of the CRM."),
    last_run: CrmRun.nullable(),
  })
  .meta({ id: "CrmSync", description: "One CRM: its connection, its rules and its latest run." });
export type CrmSync = z.output<typeof CrmSync>;

export const getCrmSync = defineOperation({
  name: "getCrmSync",
  tag,
  summary: "Read how the workspace syncs with each CRM",
  description: "Every CRM there is, connected or not, with its rules and the latest run.",
  surface: "public",
  scope: "read",
  feature,
  http: { method: "GET", path: "/v2/workspace/crm-sync" },
  input: z.strictObject({}),
  output: z.strictObject({ crms: z.array(CrmSync) }),
  example: {
    input: {},
    output: {
      crms: [
        {
          provider: "hubspot",
          display_name: "HubSpot",
          connected: true,
          account: "account 146425426",
          config: example,
          linked: 233,
          last_run: exampleRun,
        },
      ],
    },
  },
});

export const syncCrmNow = defineOperation({
  name: "syncCrmNow",
  tag,
  summary: "Sync with a CRM now, or try out what a sync would do",
  description:
    "Queued, and paced below the CRM's limit; read the run for its progress. Nothing is pushed twice. A workspace that configured nothing gets the default rules without `autoSync`. 409 `crm_sync_running` while another run of this CRM is under way.",
  surface: "public",
  scope: "admin",
  feature,
  http: { method: "POST", path: "/v2/workspace/crm-sync-now", status: 201 },
  input: z.strictObject({
    provider,
    full: z
      .boolean()
      .default(false)
      .describe("Compare everyone again, and try again what the CRM refused. Default false; the first run is full."),
    dry_run: z.boolean().default(false).describe("Change nothing in the CRM; the rows say what a sync would do."),
  }),
  output: z.strictObject({ ok: z.literal(true), run: CrmRun }),
  errors: [...whichCrm, "crm_sync_running"],
  codes: whatToName,
  example: {
    input: { provider: "hubspot", dry_run: true },
    output: {
      ok: true,
      run: { ...exampleRun, kind: "dry_run", state: "queued", total: null, compared: 0, finished_at: null },
    },
  },
});

export const listCrmRuns = defineOperation({
  name: "listCrmRuns",
  tag,
  summary: "List the runs of CRM syncs, newest first",
  description: "The latest 50 runs of each CRM are kept with their rows.",
  surface: "public",
  scope: "read",
  feature,
  http: { method: "GET", path: "/v2/workspace/crm-sync-runs" },
  input: z.strictObject({
    provider: nonBlank().optional().describe("Only runs of this CRM."),
    ...cursorPaging(20, 100),
  }),
  output: z.strictObject({ runs: z.array(CrmRun), ...cursorPage }),
  example: { input: {}, output: { runs: [exampleRun], limit: 20, has_more: false, next_cursor: null } },
});

const missing = { errors: ["crm_run_not_found"], codes: { fields: { id: "crm_run_not_found" } } } as const;

export const getCrmRun = defineOperation({
  name: "getCrmRun",
  tag,
  summary: "Read a run of a CRM sync, person by person",
  description: "The run, and a page of its rows in the order they are compared.",
  surface: "public",
  scope: "read",
  feature,
  http: { method: "GET", path: "/v2/workspace/crm-sync-runs/:id" },
  input: z.strictObject({
    id: Id.describe("The run."),
    outcome: z.enum(outcomes).optional().describe("Only rows with this outcome."),
    ...cursorPaging(100, 1000),
  }),
  output: z.strictObject({ run: CrmRun, rows: z.array(CrmRunRow), ...cursorPage }),
  ...missing,
  example: {
    input: { id: exampleRun.id },
    output: {
      run: exampleRun,
      rows: [
        {
          contact_id: "0190a6e0-0000-7000-8000-000000000042",
          name: "Anna Schmidt",
          email: "anna@acme.com",
          outcome: "updated",
          fields: ["job_title", "stage"],
          notes: 1,
          activities: 3,
          record_id: "512",
          record_url: null,
          message: null,
        },
      ],
      limit: 100,
      has_more: false,
      next_cursor: null,
    },
  },
});

export const cancelCrmRun = defineOperation({
  name: "cancelCrmRun",
  tag,
  summary: "Stop a run of a CRM sync; what it pushed stays",
  description: "A run that is over stays as it is. What was left out is pushed by the next run.",
  surface: "public",
  scope: "admin",
  feature,
  http: { method: "POST", path: "/v2/workspace/crm-sync-runs/:id/cancel" },
  input: z.strictObject({ id: Id.describe("The run.") }),
  output: z.strictObject({ run: CrmRun }),
  ...missing,
  example: { input: { id: exampleRun.id }, output: { run: { ...exampleRun, state: "cancelled" } } },
});
