import { expect, test } from "vitest";
import { own } from "./own.ts";

test("a table has its own entries, and nothing that objects inherit", () => {
  const table: Record<string, string> = { email: "E-mail" };
  expect(own(table, "email")).toBe("E-mail");
  for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__", "phone"])
    expect(own(table, name)).toBeUndefined();
  expect(own(undefined, "email")).toBeUndefined();
});
