import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Timestamp } from "#lib/core/schema.ts";
import { logRefusals } from "./words.ts";

const shared = { tag: "Mail", surface: "app" } as const;

export const LogAddress = z.strictObject({
  address: z.string().nullable().describe("What to send copies to; null where its key is gone: renew it."),
  received_at: Timestamp.nullable().describe("When the last mail was kept."),
  refused: z
    .array(
      z.strictObject({
        at: Timestamp,
        from: z.string().nullable(),
        reason: z
          .enum(logRefusals)
          .describe("Not from an address of yours, not proven to be, with no one outside, or it cannot be read."),
      }),
    )
    .describe("The last 20 that were not kept, the latest first."),
});
export type LogAddress = z.output<typeof LogAddress>;

export const getLogAddress = defineOperation({
  ...shared,
  name: "getLogAddress",
  summary: "The address that you send copies of mail to",
  scope: "read",
  http: { method: "GET", path: "/log-address" },
  input: z.strictObject({}),
  output: z.strictObject({
    available: z.boolean().describe("The operator has set a mailbox for it."),
    log_address: LogAddress.nullable().describe("null: you have none yet."),
    unknown: z
      .strictObject({ count: z.int(), last_at: Timestamp })
      .nullable()
      .describe("For administrators: mails to addresses that no one has, such as those that were renewed. null: none."),
  }),
  errors: ["member_required"],
  example: { input: {} },
});

export const renewLogAddress = defineOperation({
  ...shared,
  name: "renewLogAddress",
  summary: "Get an address to send copies of mail to, or another one",
  description: "The address before stops working at once.",
  scope: "write",
  http: { method: "POST", path: "/log-address" },
  input: z.strictObject({}),
  output: z.strictObject({ log_address: LogAddress }),
  errors: ["member_required", "log_address_unavailable"],
  example: { input: {} },
});
