import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";
import { Share } from "#lib/domain/knowledge/messages/contract.ts";

const tag = "Mail";

export const shareMailOf = defineOperation({
  name: "shareMailOf",
  tag,
  summary: "Choose how much of your mail and meetings with a person the others see",
  description:
    "`nothing` counts for threads and meetings that you shared too. null: as the mailbox and the calendar say.",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/mail-shares" },
  input: z.strictObject({ entity_id: Id.describe("The person."), share: Share.nullable() }),
  output: z.strictObject({
    entity_id: Id,
    share: Share.nullable(),
    messages: z.int().describe("How many messages and meetings it is about."),
  }),
  errors: ["entity_not_found", "member_required"],
  codes: { fields: { entity_id: "entity_not_found" } },
  example: { input: { entity_id: "0190a6e0-0000-7000-8000-000000000010", share: "nothing" } },
});

export const getMailShare = defineOperation({
  name: "getMailShare",
  tag,
  summary: "How much of your mail and meetings with a person the others see",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/mail-shares/:entity_id" },
  input: z.strictObject({ entity_id: Id.describe("The person.") }),
  output: z.strictObject({ entity_id: Id, share: Share.nullable() }),
  errors: ["entity_not_found", "member_required"],
  codes: { fields: { entity_id: "entity_not_found" } },
  example: { input: { entity_id: "0190a6e0-0000-7000-8000-000000000010" } },
});

export const setMailCeiling = defineOperation({
  name: "setMailCeiling",
  tag,
  summary: "Choose how much of their mail and meetings members may share",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "PATCH", path: "/mail-ceiling" },
  input: z.strictObject({ share: Share }),
  output: z.strictObject({ share: Share }),
  example: { input: { share: "subject" } },
});
