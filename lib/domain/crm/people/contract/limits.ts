/** What an API key or client may be kept from, as contracts have it: kinds of records, and fields of people and companies. */
import { z } from "zod";
import { HIDEABLE, recordKinds } from "#lib/core/limits.ts";
import { CUSTOM_NAME } from "#lib/domain/crm/recording/contract.ts";
import { reservedForCompanies } from "./write-companies.ts";
import { reservedForPeople } from "./write-people.ts";

const kindsWords = "The only kinds of records that it may read and write; empty: all.";
const hiddenWords =
  "Fields of people and companies that it neither reads nor writes: `phone` or custom properties. What could tell them is refused to it.";

/** As limits are read, of keys and of connected clients. */
export const limitFields = {
  kinds: z.array(z.enum(recordKinds)).describe(kindsWords),
  hidden_fields: z.array(z.string()).describe(hiddenWords),
};

const reserved: ReadonlySet<string> = new Set([...reservedForPeople, ...reservedForCompanies]);

/** As limits are set. They need the plan scale. */
export const limitInput = {
  kinds: z.array(z.enum(recordKinds)).max(recordKinds.length).optional().describe(kindsWords),
  hidden_fields: z
    .array(
      z
        .string()
        .regex(CUSTOM_NAME, "is not a property name")
        .refine((name) => name === HIDEABLE || !reserved.has(name), {
          error: `can be ${HIDEABLE} or a custom property: other fields are how records are named and found`,
        }),
    )
    .max(50)
    .optional()
    .describe(hiddenWords),
};
export const limitFeature = { kinds: "key_limits", hidden_fields: "key_limits" } as const;
