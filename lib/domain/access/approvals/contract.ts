import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPaging, nextPage } from "#lib/core/page-input.ts";
import { roles } from "#lib/core/plans.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

export * from "./contract/rules.ts";

const tag = "Approvals";

export const approvalStatuses = ["pending", "approved", "rejected", "expired", "failed", "cancelled"] as const;

export const ApprovalStatus = z.enum(approvalStatuses).meta({
  id: "ApprovalStatus",
  description:
    "`pending`: not decided yet. `approved`: it was done. `failed`: approved, but refused when it was done; `result` says why. `expired`: not decided within 14 days. `cancelled`: its key or client was revoked, its person was erased, or a later value took its place.",
});
export type ApprovalStatus = z.output<typeof ApprovalStatus>;

/** What a write is answered with while it waits. */
export const PendingApproval = z
  .strictObject({
    status: z.literal("pending_approval"),
    approval_id: Id.describe("Ask `GET /v2/approvals/{id}` what was decided."),
    message: z.string().describe("What to do now, in one or two sentences."),
  })
  .describe("A change that waits until a person approves it.");

const Asker = z
  .strictObject({
    type: z.enum(["api_key", "mcp"]),
    id: Id,
    name: z.string().nullable().describe("Name of the API key, or of the client with the person it acts for."),
  })
  .meta({ id: "ApprovalAsker", description: "Who asked." });

const Approval = z
  .strictObject({
    id: Id,
    operation: z.string().describe("What was called, such as `saveNote`."),
    record: z
      .strictObject({ id: Id.nullable(), name: z.string() })
      .nullable()
      .describe("What it is about; null: several records, or none."),
    property: z.string().nullable().describe("Of one value that was kept back from a call; else null."),
    summary: z.string().describe("What it would change, in a few words."),
    status: ApprovalStatus,
    requested_by: Asker,
    client: z.string().nullable().describe("Its `x-service-client`."),
    request_id: z.string(),
    requested_at: Timestamp,
    expires_at: Timestamp,
    decided_at: Timestamp.nullable(),
    decided_by: z.string().nullable().describe("Name of the person who decided."),
    reason: z.string().nullable().describe("Why it was rejected or cancelled, if someone said."),
  })
  .meta({ id: "Approval", description: "A change of a key or connected client that a person must approve." });
export type Approval = z.output<typeof Approval>;

const DecidedApproval = z
  .strictObject({
    ...Approval.shape,
    result: z
      .json()
      .describe("What the operation answered when it was done, or its error (`failed`); null until then."),
  })
  .meta({
    id: "ApprovalWithResult",
    description: "A change of a key or connected client that a person must approve, with its result.",
  });
export type DecidedApproval = z.output<typeof DecidedApproval>;

const exampleApproval: Approval = {
  id: "0190a6e0-0000-7000-8000-000000000041",
  operation: "saveFact",
  record: { id: null, name: "GTM profile" },
  property: null,
  summary: "Replace the section ICP of the GTM profile",
  status: "pending",
  requested_by: { type: "mcp", id: "0190a6e0-0000-7000-8000-000000000011", name: "Outreach agent" },
  client: "claude-code/2.1",
  request_id: "0190a6e0-0000-7000-8000-0000000000ff",
  requested_at: "2026-06-03T09:00:00.000Z",
  expires_at: "2026-06-17T09:00:00.000Z",
  decided_at: null,
  decided_by: null,
  reason: null,
};
const exampleRejected: DecidedApproval = {
  ...exampleApproval,
  status: "rejected",
  decided_at: "2026-06-03T10:00:00.000Z",
  decided_by: "Ada Lovelace",
  reason: "We still sell to Series A.",
  result: null,
};

export const listApprovals = defineOperation({
  name: "listApprovals",
  tag,
  summary: "List changes that wait for approval or were decided, newest first",
  description: "A key sees what it asked for itself, also before it was rotated. Decided changes are kept for 90 days.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/approvals" },
  input: z.strictObject({
    status: ApprovalStatus.optional().describe("Only those in this state; default: all."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    approvals: z.array(Approval),
    pending: z.int().describe("How many wait in all, whatever the filter."),
    ...nextPage,
  }),
  example: {
    input: { status: "pending" },
    output: { approvals: [exampleApproval], pending: 1, has_more: false, next_cursor: null },
  },
});

const missing = { codes: { fields: { id: "approval_not_found" } } } as const;

export const getApproval = defineOperation({
  name: "getApproval",
  tag,
  summary: "See what was decided about a change",
  description: "For agents whose changes wait for a person: ask from time to time, not in a loop.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/approvals/:id" },
  input: z.strictObject({ id: Id.describe("The `approval_id` that the write was answered with.") }),
  output: DecidedApproval,
  errors: ["approval_not_found"],
  ...missing,
  tool: {
    name: "check_approval",
    description: "See whether a person approved a change that waits, and its result.",
    parameters: ["id"],
  },
  example: { input: { id: exampleApproval.id }, output: exampleRejected },
});

const ProposedChange = z.strictObject({
  label: z.string().describe("What would change: a property, a section, a field."),
  kind: z.enum(["value", "text"]).describe("`text`: long text, to be compared word by word."),
  before: z.string().nullable().describe("What is there now; null: nothing."),
  after: z.string().nullable().describe("What would be there; null: nothing."),
});
export type ProposedChange = z.output<typeof ProposedChange>;

export const getApprovalChanges = defineOperation({
  name: "getApprovalChanges",
  tag,
  summary: "What a change would do to the workspace as it is now",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/approvals/:id/changes" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({
    about: z
      .strictObject({ id: Id, name: z.string(), type: z.enum(["person", "company", "workspace"]) })
      .nullable()
      .describe("The record that it names; null when it names none, or one that is new."),
    is_new: z.boolean().describe("It would create the record that it names."),
    changes: z.array(ProposedChange),
    left_out: z.int().describe("How many further changes are not shown."),
    may_decide: z.boolean().describe("Whether the reader's role allows to decide it."),
    required_role: z.enum(roles),
  }),
  errors: ["approval_not_found"],
  ...missing,
  example: {
    input: { id: exampleApproval.id },
  },
});

export const approveChange = defineOperation({
  name: "approveChange",
  tag,
  summary: "Approve a change: it is done at once, as it was asked for",
  description:
    "Runs the operation now, in one transaction with the decision. What the operation refuses ends as `failed`, with the error as `result`. A secret that is shown once, such as that of a new trigger, is in this answer only: the key or client that asked never sees it. A value that was kept back counts as the word of who approves it. A change that waits no longer answers 409 `approval_decided`. Needs the role that the operation itself needs.",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/approvals/:id/approve" },
  input: z.strictObject({
    id: Id,
    always: z
      .boolean()
      .default(false)
      .describe("Of a value that was kept back: also let the same key or client set this property from now on."),
  }),
  output: DecidedApproval,
  secrets: { output: ["result"] },
  errors: ["approval_not_found", "approval_decided", "provider_unavailable"],
  ...missing,
  example: { input: { id: exampleApproval.id } },
});

export const rejectChange = defineOperation({
  name: "rejectChange",
  tag,
  summary: "Reject a change: nothing is done, and its agent is told why",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/approvals/:id/reject" },
  input: z.strictObject({
    id: Id,
    reason: z.string().trim().max(1000).optional().describe("What the agent is told; up to 1,000 characters."),
  }),
  output: DecidedApproval,
  errors: ["approval_not_found", "approval_decided"],
  ...missing,
  example: { input: { id: exampleApproval.id, reason: "We still sell to Series A." } },
});
