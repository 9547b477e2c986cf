import { expect, test } from "vitest";
import { z } from "zod";
import { issueWords } from "./issue-words.ts";

test.each<[z.ZodType, unknown, string]>([
  [z.guid(), "x", "must be an id (a UUID)"],
  [z.string(), 1, "must be a string, not a number"],
  [z.string(), undefined, "is required"],
  [z.number(), "x", "must be a number, not a string"],
  [z.number(), Number.NaN, "must be a number, not something that is no number"],
  [z.int(), 1.5, "must be a whole number, not 1.5"],
  [z.boolean(), "x", "must be true or false, not a string"],
  [z.array(z.string()), null, "must be a list, not null"],
  [z.strictObject({}), [], "must be an object, not a list"],
  [z.record(z.string(), z.string()), true, "must be an object, not true"],
  [z.number().max(5), 7, "must be at most 5"],
  [z.number().gt(5), 5, "must be more than 5"],
  [z.number().lt(5), 5, "must be less than 5"],
  [z.string().max(3), "xxxx", "must have at most 3 characters"],
  [z.string().length(1), "xxxx", "must have exactly 1 character"],
  [z.array(z.string()).min(1), [], "must have at least 1 item"],
  [z.number().multipleOf(2), 3, "must be a multiple of 2"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal("a"), "b", "must be a"],
  [z.union([z.string(), z.number()]), true, "must be a string or a number"],
  [z.union([z.string().max(1), z.string().length(4)]), "xx", "has a form that is not accepted"],
  [z.discriminatedUnion("k", [z.object({ k: z.literal("a") })]), { k: "c" }, "names no kind that there is"],
  [z.strictObject({}), { b: 1, c: 2 }, "has no field b, c"],
  [z.string().regex(/^a/), "b", "has a form that is not accepted"],
  [z.string().regex(/^a/, "must begin with a"), "b", "must begin with a"],
  [z.record(z.string().regex(/^a/), z.string()), { b: "x" }, "has a name that is not accepted"],
  [z.string().refine(() => false), "b", "has a value that is not accepted"],
])("%#: %o says what is wrong", (schema, value, words) => {
  expect(schema.safeParse(value, { error: issueWords }).error?.issues[0]?.message).toBe(words);
});
