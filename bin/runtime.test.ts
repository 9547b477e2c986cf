import { expect, test } from "vitest";
import { fits } from "./runtime.mjs";

test.each([
  ["20.20.2", false],
  ["22.18.0", false],
  ["22.20.0", false],
  ["22.21.0", true],
  ["23.11.0", false],
  ["24.0.0", false],
  ["24.8.0", false],
  ["24.9.0", true],
  ["24.21.0", true],
  ["25.0.0", true],
])("Node %s can run Rapport: %s", (version, can) => {
  expect(fits(version)).toBe(can);
});
