import { expect, test } from "vitest";
import { nextPath } from "#components/auth/next-path.ts";

test.each([
  [
    "/0190a6e0-0000-7000-8000-000000000001/gtm-context?edit=icp",
    "/0190a6e0-0000-7000-8000-000000000001/gtm-context?edit=icp",
  ],
  ["/", "/"],
  [undefined, "/"],
  [["/a", "/b"], "/"],
  ["", "/"],
  ["a", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/ok\\..\\evil", "/"],
  ["/\t/evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?next=/sign-in", "/"],
  ["/api/auth/signout", "/"],
])("%j leads to %j", (given, path) => {
  expect(nextPath(given as string)).toBe(path);
});
