import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { plans } from "#lib/core/plans.ts";
import { Id } from "#lib/core/schema.ts";
import { Website, WorkspaceName } from "#lib/domain/workspace/workspaces/contract.ts";

const tag = "Workspace";

export const BusinessType = z.enum(["service", "software"]);
export const PlanModel = z.enum(["free_plan", "free_trial", "both", "paid_only"]);
export const SignupStage = z.enum(["identified", "aware", "interested", "evaluating", "client"]);

export const WorkspaceProfile = z
  .strictObject({
    id: Id,
    entity_id: Id.describe("The workspace as a focus; the same as `id`."),
    name: z.string(),
    website: z.string().nullable(),
    business_type: BusinessType.nullable(),
    plan_model: PlanModel.nullable().describe("How people can begin with the workspace's product."),
    default_signup_stage: SignupStage.nullable().describe("The stage at which someone who signs up begins."),
  })
  .meta({ id: "WorkspaceProfile", description: "Who the workspace is and how it sells." });
export type WorkspaceProfile = z.output<typeof WorkspaceProfile>;

export const profileFields = ["name", "website", "business_type", "plan_model", "default_signup_stage"] as const;

const NextStep = z.strictObject({ id: z.string(), title: z.string(), why: z.string(), how: z.string() });
export type NextStep = z.output<typeof NextStep>;

const count = z.int();

export const WorkspaceStatus = z
  .strictObject({
    workspace: WorkspaceProfile,
    plan: z.strictObject({
      id: z.enum(plans),
      name: z.string(),
      crm_sync: z.boolean(),
      lead_lists: z.boolean(),
      icp_scoring: z.boolean(),
    }),
    setup: z.strictObject({
      onboarding: z.strictObject({
        done: z.boolean(),
        missing: z.array(z.string()).describe("Fields of POST /v2/workspace/onboarding that are missing."),
      }),
      gtm_playbook: z.strictObject({
        done: z.boolean().describe("ICP and Product are written: who the workspace sells to, and what."),
        facts: count.describe("Current facts of the GTM profile."),
        icp_facts: count,
        model: z
          .strictObject({ version: z.int(), signals: z.int() })
          .nullable()
          .describe("The ICP scoring model; null when there is none."),
        stale_facts: count.describe("Current facts that were not confirmed for 90 days."),
      }),
      integrations: z.strictObject({
        count,
        connected: z.array(z.strictObject({ provider: z.string(), name: z.string() })),
      }),
      crm_sync: z.strictObject({
        available: z.boolean().describe("The plan includes it."),
        configured: z.boolean(),
        providers: z.array(z.strictObject({ provider: z.string() })).describe("Connected CRMs that are configured."),
      }),
      enrichment: z.strictObject({ connected: z.boolean(), provider: z.string().nullable() }),
      webhooks: z.strictObject({ count }),
      triggers: z.strictObject({ count }),
    }),
    next_steps: z
      .array(NextStep)
      .describe("What is worth doing next, the most useful first; empty when all is set up."),
  })
  .meta({ id: "WorkspaceStatus", description: "What is set up, and what to do next." });

const exampleProfile: WorkspaceProfile = {
  id: "0190a6e0-0000-7000-8000-000000000001",
  entity_id: "0190a6e0-0000-7000-8000-000000000001",
  name: "Acme",
  website: "https://acme.com",
  business_type: "software",
  plan_model: "free_trial",
  default_signup_stage: "identified",
};

export const getWorkspaceStatus = defineOperation({
  name: "getWorkspaceStatus",
  tag,
  summary: "What is set up, and what to do next",
  description: "The workspace, its plan, which parts are set up, and the next steps in the order of their use.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/status" },
  input: z.strictObject({}),
  output: WorkspaceStatus,
  tool: {
    name: "get_workspace_status",
    description: "What is set up in this workspace, its plan, and what to do next.",
    parameters: [],
  },
  example: {
    input: {},
    output: {
      workspace: exampleProfile,
      plan: { id: "scale", name: "Scale", crm_sync: true, lead_lists: true, icp_scoring: true },
      setup: {
        onboarding: { done: true, missing: [] },
        gtm_playbook: { done: true, facts: 8, icp_facts: 1, model: null, stale_facts: 0 },
        integrations: { count: 0, connected: [] },
        crm_sync: { available: true, configured: false, providers: [] },
        enrichment: { connected: false, provider: null },
        webhooks: { count: 0 },
        triggers: { count: 0 },
      },
      next_steps: [],
    },
  },
});

export const setWorkspaceProfile = defineOperation({
  name: "setWorkspaceProfile",
  tag,
  summary: "Say who the workspace is and how it sells",
  description:
    "Sets the fields given and leaves the others. `icp` becomes the current ICP of the GTM profile, as POST /v2/workspace/facts with section ICP and mode replace would make it. All or nothing.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/workspace/onboarding" },
  input: z.strictObject({
    name: WorkspaceName.optional(),
    website: Website.optional(),
    business_type: BusinessType.optional().describe("Whether the workspace sells a service or software."),
    plan_model: PlanModel.optional().describe("How people can begin with the workspace's product."),
    default_signup_stage: SignupStage.optional().describe("The stage at which someone who signs up begins."),
    icp: z
      .string()
      .max(10_000)
      .refine((text) => text.trim() !== "", { error: "must not be blank" })
      .optional()
      .describe("Who the workspace sells to, in one short statement."),
  }),
  output: z.strictObject({ ok: z.literal(true), workspace: WorkspaceProfile }),
  errors: ["name_required", "invalid_website"],
  codes: { fields: { name: "name_required", website: "invalid_website" } },
  tool: {
    name: "set_workspace_profile",
    description: "Say who the workspace is and how it sells. Fields you leave out stay as they are.",
    parameters: ["name", "website", "business_type", "plan_model", "default_signup_stage", "icp"],
    hints: ["idempotent"],
  },
  example: {
    input: { business_type: "software", plan_model: "free_trial", icp: "Series A fintechs in the EU." },
    output: { ok: true, workspace: exampleProfile },
  },
});
