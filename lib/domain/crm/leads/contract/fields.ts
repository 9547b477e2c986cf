import { z } from "zod";
import { Id } from "#lib/core/schema.ts";
import { leadStatuses, replyOutcomes } from "#lib/domain/crm/recording/contract.ts";

const tag = "Leads";

/** The id of what is in the path. */
export const Own = Id.describe("Its id.");
export const Into = Id.describe("The lead list.");
export const shared = { tag, surface: "public", feature: "lead_lists" } as const;

export const LeadStatus = z.enum(leadStatuses).meta({ id: "LeadStatus", description: "How far a lead is." });
export type LeadStatus = z.output<typeof LeadStatus>;
export const ReplyOutcome = z.enum(replyOutcomes).meta({ id: "ReplyOutcome", description: "What a reply says." });
export type ReplyOutcome = z.output<typeof ReplyOutcome>;

export const count = z.int();

export const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const MOST_FIELDS = 100;

export const FieldName = z
  .string()
  .max(100)
  .refine((name) => name.trim() !== "", { error: "must not be blank" });

const GivenValue = z.union([z.string().max(2000), z.number(), z.boolean(), z.array(z.string().max(500)).max(100)]);

export const fields = z
  .record(FieldName, GivenValue.nullable())
  .refine((fields) => Object.keys(fields).length <= MOST_FIELDS, { error: `must be at most ${MOST_FIELDS} fields` })
  .refine((fields) => JSON.stringify(fields).length <= 32_768, { error: "must be at most 32,768 characters" })
  .optional()
  .describe(
    `Values by name: texts, numbers, booleans or lists of texts; up to ${MOST_FIELDS}, 32,768 characters as JSON.`,
  );
