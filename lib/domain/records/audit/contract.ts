import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPaging } from "#lib/core/page-input.ts";
import { EndTime, Id, Time, Timestamp } from "#lib/core/schema.ts";

const actorTypes = ["user", "api_key", "mcp", "webhook", "job", "cli"] as const;

export const AuditEntry = z
  .strictObject({
    id: Id,
    at: Timestamp,
    actor: z.strictObject({
      type: z.enum(actorTypes),
      id: z.string(),
      name: z.string().nullable().describe("Name or e-mail of a person; name of an API key."),
    }),
    client: z.string().nullable().describe("What the caller named itself in `x-service-client`."),
    request_id: z.string().nullable(),
    ip: z.string().nullable().describe("The address that the request came from; null for what no request asked for."),
    action: z.string().describe("`<noun>.<what happened>`, such as `member.removed`."),
    subject: z.string().nullable().describe("Id of what it happened to."),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof AuditEntry>;

const Action = z
  .string()
  .max(100)
  .regex(/^[a-z_]+(\.[a-z_]+)?$/, "must be an action such as member.removed, or a noun such as member");

const ActorFilter = z
  .string()
  .max(300)
  .regex(
    new RegExp(`^(${actorTypes.join("|")})(:.+)?$`),
    `must be a type (${actorTypes.join(", ")}), or a type and an id such as user:0190a6e0-0000-7000-8000-000000000001`,
  );

export const listAudit = defineOperation({
  name: "listAudit",
  tag: "Audit log",
  summary: "List what people, keys and operators did to the workspace itself",
  description:
    "Newest first: who may do what, sign-ins and refused ones, exports, erasures, restores, merges, approvals, bulk actions, settings. `format=ndjson` gives all that match as a file, one entry a line.",
  surface: "public",
  scope: "admin",
  writes: () => false,
  http: { method: "GET", path: "/v2/audit-log" },
  input: z.strictObject({
    action: z
      .array(Action)
      .min(1)
      .max(20)
      .optional()
      .describe("Only these actions; a noun such as `member` means all of its actions."),
    actor: ActorFilter.optional().describe("Only what one did (`user:<id>`, `api_key:<id>`), or those of a type did."),
    subject: z.string().min(1).max(200).optional().describe("Only what happened to the one with this id."),
    from: Time.optional().describe("Only entries from this time on."),
    to: EndTime.optional().describe("Only entries up to this time; a date includes its day."),
    format: z
      .enum(["json", "ndjson"])
      .default("json")
      .describe("`ndjson`: all entries as lines, streamed; limit and cursor have no effect."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({ entries: z.array(AuditEntry), next_cursor: z.string().nullable() }),
  example: {
    input: { action: ["member", "api_key.minted"], limit: 50 },
    output: {
      entries: [
        {
          id: "0190a6e0-0000-7000-8000-0000000000a1",
          at: "2026-06-03T09:00:00.000Z",
          actor: { type: "user", id: "0190a6e0-0000-7000-8000-000000000001", name: "Ada Lovelace" },
          client: null,
          request_id: "0190a6e0-0000-7000-8000-0000000000a2",
          ip: "203.0.113.9",
          action: "member.role_changed",
          subject: "0190a6e0-0000-7000-8000-000000000002",
          detail: { email: "grace@acme.example", from: "member", to: "admin" },
        },
      ],
      next_cursor: null,
    },
  },
});
