import { z } from "zod";
import { pageSize } from "./operation.ts";
import { Cursor } from "./schema.ts";

/** The parameters of a long list: by offset, or by keyset. */
export const offsetPaging = {
  limit: pageSize(100, 1000),
  offset: z.int().min(0).default(0).describe("How many to skip; not together with cursor."),
  cursor: Cursor.optional().describe(
    "Continues after the page that returned it as next_cursor; stable while rows are added. Opaque.",
  ),
};

/** What a page of such a list says of itself. */
export const offsetPage = {
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe("Pass as cursor for the next page; null on the last."),
};
