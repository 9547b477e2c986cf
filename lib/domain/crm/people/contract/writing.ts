import { z } from "zod";
import { describedAs, Id } from "#lib/core/schema.ts";
import { CurrentBelief, claimsWritten } from "#lib/domain/records/evidence/contract.ts";
import { Status } from "./fields.ts";

export const Patched = z.string().describe("Entity id, e-mail, LinkedIn URL or domain of the record to change.");
export const clearable = (max: number) => z.string().trim().min(1).max(max).nullable().optional();

/** What a caller may set of a person and of a company. */
export const managed = {
  owner: clearable(320).describe(
    "The member who owns the record: e-mail address, id, full name, or `me`: the caller, for a key the member who made it.",
  ),
  status: Status.optional(),
  source: z.string().trim().min(1).max(128).optional().describe("Where the values come from; default `api`."),
};

const RETIRED_BY_NULL = ["email", "linkedin_url", "domain"];

/** Whether fields archive the record, or take an identifier away: what a person decides. */
export const endsSomething = (fields: Readonly<Record<string, unknown>>): boolean =>
  fields.status === "archived" || RETIRED_BY_NULL.some((name) => fields[name] === null);

/** What is not given, and what is not known. */
export const leavesOthers = "Fields not given stay; null ends a value. Any other snake_case key is a custom property.";

export const CustomInput = z.union([
  z.string().max(2000),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string().max(500)).max(100),
]);

export const written = {
  claims_written: z.int().describe("How many observations were new."),
  ...claimsWritten,
};

export const exampleWritten = (property: string, value: string) => ({
  claims_written: 1,
  claims_recomputed: [property],
  claims: [{ property, value, changed: true }],
});

const MOST_ROWS = 1000;

/** A write that creates the record when it is unknown. */
export const createdOrNot = ({ created }: { created: boolean }) => (created ? 201 : 200);

export const rowsOf = (what: string, id: string) =>
  z
    .array(describedAs(id))
    .min(1)
    .max(MOST_ROWS)
    .describe(`1 to ${MOST_ROWS} rows, each as the body of \`POST /v2/${what}\`.`);

export const Outcomes = z
  .strictObject({
    results: z
      .array(
        z
          .strictObject({
            index: z.int(),
            status: z.enum(["created", "updated", "failed"]),
            entity_id: Id.nullable(),
            claims: z.array(CurrentBelief).optional().describe("For each value of the row: what is believed now."),
            error: z.string().optional(),
            message: z.string().optional(),
          })
          .meta({
            id: "BulkRow",
            description: "What happened with one row; `error` and `message` when it was refused.",
          }),
      )
      .describe("One per row, in the order given."),
    created: z.int(),
    updated: z.int(),
    failed: z.int(),
  })
  .meta({ id: "BulkOutcome" });

export const oneAfterAnother =
  "Rows count as taken one after another; a row that is refused says why and does not stop the others.";
