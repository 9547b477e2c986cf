import { z } from "zod";
import { Cursor } from "./schema.ts";

/** A page size: at least 1, clamped to `cap`. */
export const pageSize = (standard: number, cap: number) =>
  z
    .int()
    .min(1)
    .overwrite((limit) => Math.min(limit, cap))
    .default(standard)
    .describe(`Page size; default ${standard}. Values above ${cap} are lowered to ${cap}.`);

/** A list skips at most so many rows, since it reads each of them; a page by cursor costs the same at every depth. */
export const MOST_SKIPPED = 30_000;

/** The parameters of a long list: by offset, or by keyset. */
export const offsetPaging = {
  limit: pageSize(100, 1000),
  offset: z
    .int()
    .min(0)
    .max(MOST_SKIPPED, `goes up to ${MOST_SKIPPED}; for what comes after that, pass a page's next_cursor as cursor`)
    .default(0)
    .describe(`How many to skip, up to ${MOST_SKIPPED}; cursor goes further, and is not combined with it.`),
  cursor: Cursor.optional().describe("`next_cursor` of the page before. Stable while rows are added; opaque."),
};

/** What a page of such a list says of itself. */
export const offsetPage = {
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe("Pass as cursor for the next page; null on the last."),
};

/** The parameters of a list that is paged by its cursor alone. */
export const cursorPaging = (standard: number, cap: number) => ({
  limit: pageSize(standard, cap),
  cursor: Cursor.optional(),
});

/** Whether there is more of such a list, and where it begins. */
export const nextPage = { has_more: z.boolean(), next_cursor: z.string().nullable() };

/** What a page of such a list says of itself. */
export const cursorPage = { limit: z.int(), ...nextPage };

/** A list counts up to so many rows. */
export const MOST_COUNTED = 10_000;

/** The parameter of a list that can say how many rows there are. */
export const counting = {
  include: z
    .enum(["count"])
    .optional()
    .describe("`count` adds how many there are with these filters; it takes longer than the page itself."),
};

/** How many there are; `capped`: or more. */
export type Total = { count: number; capped: boolean };

/** What a list says that was counted up to one more than it shows. */
export const totalOf = (count: number) => ({ count: Math.min(count, MOST_COUNTED), capped: count > MOST_COUNTED });

/** What such a list says of it. */
export const counted = {
  total: z
    .strictObject({ count: z.int(), capped: z.boolean() })
    .meta({
      id: "Total",
      description: `How many there are; \`capped\`: or more. Counts end at ${MOST_COUNTED.toLocaleString("en")}, sooner with \`not_contacted_for\`.`,
    })
    .optional()
    .describe("Only with `include=count`."),
};
