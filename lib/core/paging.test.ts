import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "./errors.ts";
import { isBrokenText } from "./json.ts";
import { decodeCursor, encodeCursor } from "./paging.ts";

const text = fc.string({ unit: "binary" }).filter((value) => !isBrokenText(value));
const part = fc.oneof(text, fc.integer(), fc.constant(null));

const refused = (cursor: string, length: number): string | null => {
  try {
    decodeCursor(cursor, length);
    return null;
  } catch (error) {
    return isFault(error) ? `${error.code} ${error.extras.parameter}` : "another error";
  }
};

describe("a cursor", () => {
  test("comes back as it was", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (position) => {
        expect(decodeCursor(encodeCursor(position), position.length)).toEqual(position);
      }),
    );
  });

  test("is safe in a query string without escaping", () => {
    fc.assert(fc.property(fc.array(part), (position) => /^[\w-]*$/.test(encodeCursor(position))));
  });

  test("that is not ours is refused by name", () => {
    fc.assert(
      fc.property(fc.string(), (text) => [null, "invalid_parameter cursor"].includes(refused(text, 2))),
      { examples: [["W10"], ["bnVsbA"], ["eyJhIjoxfQ"], ["%"], [""]] },
    );
  });

  test.each([
    ["of another length", encodeCursor(["a"])],
    ["that holds an object", Buffer.from('["a",{}]').toString("base64url")],
    ["that holds a list", Buffer.from('["a",[1]]').toString("base64url")],
    ["that holds a boolean", Buffer.from('["a",true]').toString("base64url")],
    ["that holds a number out of range", Buffer.from('["a",1e999]').toString("base64url")],
    ["that holds U+0000", encodeCursor(["a", "\u0000"])],
    ["that holds a lone surrogate", Buffer.from('["a","\\ud800"]').toString("base64url")],
  ])("%s is refused by name", (_what, cursor) => {
    expect(refused(cursor, 2)).toBe("invalid_parameter cursor");
  });
});
