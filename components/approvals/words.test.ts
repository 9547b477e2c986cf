import { describe, expect, test } from "vitest";
import { failureOf, secretIn } from "./words.ts";

describe("the result of an approved change", () => {
  test.each<[string, unknown, string | null]>([
    ["of a new trigger has its secret", { ok: true, secret: "whsec_a" }, "whsec_a"],
    ["of anything else has none", { ok: true }, null],
    ["that is empty has none", null, null],
    ["with a secret that is no text has none", { secret: 1 }, null],
  ])("%s", (_, result, secret) => expect(secretIn(result)).toBe(secret));

  test.each<[unknown, string]>([
    [{ message: "url cannot be used." }, "url cannot be used."],
    [null, "It could not be done."],
  ])("%j failed with: %s", (result, message) => expect(failureOf(result)).toBe(message));
});
