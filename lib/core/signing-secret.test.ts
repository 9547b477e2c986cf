import { expect, test } from "vitest";
import { isSigningSecret } from "./signing-secret.ts";

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;

test.each([
  [secretOf(24), true],
  [secretOf(32), true],
  [secretOf(64), true],
  [secretOf(32).replace(/=+$/, ""), true],
  [secretOf(23), false],
  [secretOf(65), false],
  [secretOf(32).slice("whsec_".length), false],
  [` ${secretOf(32)}`, false],
  [`${secretOf(32)}!`, false],
  ["whsec_", false],
  ["", false],
])("%j is a signing secret: %s", (value, expected) => {
  expect(isSigningSecret(value)).toBe(expected);
});
