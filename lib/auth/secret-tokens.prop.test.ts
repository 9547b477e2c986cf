import fc from "fast-check";
import { expect, test } from "vitest";
import { isWellFormedKey, mintKey } from "./secret-tokens.ts";

const key = mintKey().key;
const character = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

test("text that is not a key is refused", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((rest) => `rpt_${rest}`),
      ),
      (text) => !isWellFormedKey(text),
    ),
  );
});

test("an invented key of the right form is refused by its checksum", () => {
  const forged = fc
    .tuple(fc.array(character, { minLength: 6, maxLength: 6 }), fc.array(character, { minLength: 38, maxLength: 38 }))
    .map(([prefix, rest]) => `rpt_${prefix.join("")}_${rest.join("")}`);
  fc.assert(
    fc.property(forged, (text) => !isWellFormedKey(text)),
    { numRuns: 1_000 },
  );
});

test("a key whose characters were swapped, dropped or added is refused", () => {
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.nat(key.length - 1), character, (a, b, added) => {
      const letters = [...key];
      [letters[a], letters[b]] = [letters[b] as string, letters[a] as string];
      const swapped = letters.join("");
      expect(isWellFormedKey(swapped)).toBe(swapped === key);
      expect(isWellFormedKey(key.slice(0, a) + key.slice(a + 1))).toBe(false);
      expect(isWellFormedKey(key.slice(0, a) + added + key.slice(a))).toBe(false);
    }),
  );
});
