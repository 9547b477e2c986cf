import { expect, test } from "vitest";
import { Fault } from "#lib/core/errors.ts";
import { fail } from "./answer.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });

test("a database that went away is one plain sentence, without a stack", () => {
  const { exit, stdout, stderr } = fail(refused, false);
  expect([exit, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "The database cannot be reached (connect ECONNREFUSED 127.0.0.1:5432). The last change may have been made or not: look before you run the command again.\n",
  );
});

test("and has its own code for programs", () => {
  const { exit, stdout } = fail(new Error("Connection terminated unexpectedly"), true);
  expect(exit).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: "not_ready", message: expect.stringMatching(/cannot be reached/) });
});

test("an internal error shows its stack, a refusal only its message", () => {
  expect(fail(new TypeError("x is not a function"), false).stderr).toMatch(/at /);
  expect(JSON.parse(fail(new TypeError("x"), true).stdout)).toMatchObject({ error: "internal_error" });
  expect(fail(new Fault("not_found"), false)).toMatchObject({ exit: 1, stderr: "There is nothing at this address.\n" });
});
