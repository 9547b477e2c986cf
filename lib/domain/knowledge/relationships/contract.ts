import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { AccountFocus, Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import { closeness } from "./words.ts";

const when = Timestamp.nullable();

export const Relationship = z
  .strictObject({
    member: z.strictObject({ user_id: Id, name: z.string().nullable(), email: z.string() }),
    strength: z.int().min(0).max(100).describe("From counts and how long ago: all weighs half after 90 days."),
    closeness: z.enum(closeness).describe("`strong` from 60, `medium` from 25."),
    sent: z.int(),
    received: z.int(),
    replies: z.int().describe("Of those received, how many answer something."),
    meetings: z.int().describe("That were held."),
    last_at: Timestamp,
    last_sent_at: when,
    last_received_at: when,
    last_met_at: when,
    people: z.int().describe("Of a company: how many of its people they know."),
    closest: z.strictObject({ entity_id: Id, name: z.string() }).describe("Of a company: the person they know best."),
  })
  .meta({ id: "Relationship", description: "How a member knows a person or a company's people." });
export type Relationship = z.output<typeof Relationship>;

export const getRelationships = defineOperation({
  name: "getRelationships",
  tag: "Accounts",
  summary: "Who knows a person, or people at a company",
  description:
    "By their mail and meetings, the strongest first. What a member does not share counts for that member alone.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/relationships" },
  input: z.strictObject({ focus: AccountFocus }),
  output: z.union([z.strictObject({ entity_id: Id, known_by: z.array(Relationship) }), Ambiguous]),
  errors: ["entity_not_found"],
  tool: {
    name: "who_knows",
    description: "Which members know a person or company, and how well.",
    parameters: [["id", "focus"]],
  },
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      entity_id: "0190a6e0-0000-7000-8000-000000000001",
      known_by: [
        {
          member: { user_id: "0190a6e0-0000-7000-8000-000000000002", name: "Ada", email: "ada@example.com" },
          strength: 69,
          closeness: "strong",
          sent: 5,
          received: 5,
          replies: 5,
          meetings: 0,
          last_at: "2026-06-03T09:00:00.000Z",
          last_sent_at: "2026-06-01T09:00:00.000Z",
          last_received_at: "2026-06-03T09:00:00.000Z",
          last_met_at: null,
          people: 1,
          closest: { entity_id: "0190a6e0-0000-7000-8000-000000000001", name: "Anna Smith" },
        },
      ],
    },
  },
});
