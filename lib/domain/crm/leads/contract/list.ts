import { z } from "zod";
import { Id, nonBlank, Timestamp } from "#lib/core/schema.ts";
import { count, FieldName, MOST_FIELDS } from "./fields.ts";

export const LeadList = z
  .strictObject({
    id: Id,
    name: z.string(),
    source: z.string().describe("Where its leads come from; the source of the people it creates."),
    columns: z.array(z.string()).describe("Names of the fields of its leads, in the order in which they are shown."),
    lead_count: count,
    by_status: z.strictObject({ pending: count, sent: count, replied: count, bounced: count }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "LeadList", description: "A list of people to write to." });
export type LeadList = z.output<typeof LeadList>;

export const exampleList: LeadList = {
  id: "0190a6e0-0000-7000-8000-000000000051",
  name: "Fintech CFOs, DACH",
  source: "apollo",
  columns: ["title", "industry"],
  lead_count: 1,
  by_status: { pending: 0, sent: 0, replied: 1, bounced: 0 },
  created_at: "2026-06-01T09:00:00.000Z",
  updated_at: "2026-06-01T09:00:00.000Z",
};

export const columns = z
  .array(FieldName)
  .max(MOST_FIELDS)
  .refine((names) => new Set(names).size === names.length, { error: "must not hold a name twice" })
  .describe(`Names of fields, in the order in which they are shown; up to ${MOST_FIELDS}.`);
export const listName = nonBlank().trim().max(200).describe("1 to 200 characters.");
export const source = z.string().trim().min(1).max(128);

export const ofList = { codes: { fields: { id: "lead_list_not_found" } }, errors: ["lead_list_not_found"] } as const;
