import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  bodyLimit,
  type Contract,
  defineOperation,
  featureOf,
  hasBody,
  LARGE_BODY_LIMIT,
  mayWrite,
  pathFields,
} from "./operation.ts";

const contractOf = (more: Partial<Contract> = {}): Contract => ({
  ...(defineOperation({
    name: "readThing",
    tag: "Things",
    summary: "An operation of a test",
    surface: "public",
    scope: "read",
    http: { method: "GET", path: "/v2/things" },
    input: z.strictObject({}),
    output: z.strictObject({}),
    example: { input: {}, output: {} },
  }) as unknown as Contract),
  ...more,
});

const at = (http: Partial<Contract["http"]>): Contract =>
  contractOf({ http: { method: "POST", path: "/v2/things", ...http } });

describe("what follows from a contract", () => {
  test.each<[Contract["feature"], ReturnType<typeof featureOf>]>([
    [undefined, undefined],
    ["crm_sync", "crm_sync"],
    [{ owner: "crm_sync" }, undefined],
  ])("for the feature %j the plan must always have %s", (feature, always) => {
    expect(featureOf(contractOf(feature === undefined ? {} : { feature }))).toBe(always);
  });

  test.each<[Contract["scope"], boolean, boolean]>([
    ["read", false, false],
    ["read", true, true],
    ["write", false, true],
    ["write", true, true],
    ["admin", false, true],
  ])("of the scope %s, saying itself with what it writes %s, it may write: %s", (scope, says, expected) => {
    expect(mayWrite(contractOf({ scope, ...(says ? { writes: () => false } : {}) }))).toBe(expected);
  });

  test.each<[Contract["http"]["body"], number]>([
    [undefined, 1_048_576],
    [{}, 1_048_576],
    [{ limit: 10 }, 10],
    [{ limit: LARGE_BODY_LIMIT }, 8_388_608],
  ])("with the body %j its JSON may have %d bytes", (body, limit) => {
    expect(bodyLimit(at(body ? { body } : {}))).toBe(limit);
  });

  test.each<[Contract["http"]["method"], boolean]>([
    ["GET", false],
    ["POST", true],
    ["PATCH", true],
    ["DELETE", false],
  ])("a %s has a body: %s", (method, expected) => {
    expect(hasBody(at({ method }))).toBe(expected);
  });

  test.each([
    ["/v2/things", []],
    ["/v2/things/:id", ["id"]],
    ["/v2/lists/:list_id/things/:focus/x", ["list_id", "focus"]],
  ])("the fields in the path %s are %j", (path, fields) => {
    expect(pathFields(at({ path }))).toEqual(fields);
  });
});
