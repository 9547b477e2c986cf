import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPaging } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

export const AuditEntry = z.strictObject({
  id: Id,
  at: Timestamp,
  actor: z.strictObject({
    type: z.enum(["user", "api_key", "mcp", "webhook", "job", "cli"]),
    id: z.string(),
    name: z.string().nullable().describe("Name or e-mail of a person; name of an API key."),
  }),
  client: z.string().nullable().describe("What the caller named itself in `x-service-client`."),
  request_id: z.string().nullable(),
  ip: z.string().nullable().describe("The address that the request came from; null for what no request asked for."),
  action: z.string().describe("`<noun>.<what happened>`, such as `member.removed`."),
  subject: z.string().nullable().describe("Id of what it happened to."),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const listAudit = defineOperation({
  name: "listAudit",
  tag: "Audit log",
  summary: "What people, keys and operators did to the workspace itself, newest first",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "GET", path: "/audit-log" },
  input: z.strictObject({
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({ entries: z.array(AuditEntry), next_cursor: z.string().nullable() }),
  example: {
    input: { limit: 50 },
  },
});
