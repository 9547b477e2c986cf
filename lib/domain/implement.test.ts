import { expect, test } from "vitest";
import { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { type Contract, defineOperation } from "#lib/core/operation.ts";
import { authorize } from "./authority.ts";

const contract = defineOperation({
  name: "syncCrm",
  tag: "CRM",
  summary: "An operation that needs everything",
  surface: "app",
  scope: "admin",
  role: "admin",
  feature: "crm_sync",
  http: { method: "POST", path: "/v2/x" },
  input: z.strictObject({}),
  output: z.strictObject({}),
  example: { input: {}, output: {} },
}) as unknown as Contract;

const all: Caller = {
  workspaceId: newId() as WorkspaceId,
  plan: "scale",
  scopes: ["admin"],
  role: "owner",
  actor: { type: "user", id: newId() },
  requestId: newId(),
  client: null,
};

test.each<[string, Partial<Caller>, object | null]>([
  ["nothing", {}, null],
  ["the lowest plan that has it", { plan: "growth" }, null],
  [
    "the plan, the scope and the role: the plan comes first",
    { plan: "free", scopes: ["read"], role: "member" },
    { code: "feature_not_in_plan", feature: "crm_sync", required_plan: "growth", current_plan: "free" },
  ],
  [
    "the scope and the role: the scope comes next",
    { scopes: ["write"], role: "member" },
    { code: "insufficient_scope", required_scope: "admin" },
  ],
  ["the role", { role: "member" }, { code: "role_required", required_role: "admin" }],
])("a caller who lacks %s", (_, lacks, refusal) => {
  let fault: unknown = null;
  try {
    authorize(contract, { ...all, ...lacks });
  } catch (error) {
    fault = isFault(error) ? { code: error.code, ...error.extras } : error;
  }
  expect(fault).toEqual(refusal);
});
