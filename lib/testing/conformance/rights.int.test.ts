/**
 * What every operation asks of its caller: it works with exactly the scope, the plan and the role that its contract names, and
 * answers the same by key, in the browser and behind both. A caller with less is refused before the input is read.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { pathFields, successStatus } from "#lib/core/operation.ts";
import { type Plan, planFeatures, type Role, type Scope, scopesOfRole } from "#lib/core/plans.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { useServer } from "../server.fixture.ts";
import { everyOperation } from "./cast.ts";
import { comparable } from "./comparable.ts";
import { isClosedToMembers, leastPlanOf, leastRoleOf, plansBelow, rolesBelow, scopesBelow } from "./rights.ts";
import { inputOf, strayScenarios } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { type As, type SurfaceRequest, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);

test("scenarios are of operations that exist", () => {
  expect(strayScenarios()).toEqual([]);
});

/** What an answer says about its caller, so that it differs from one to the other. */
const aboutCaller: Readonly<Record<string, readonly string[]>> = {
  getApprovalChanges: ["may_decide"],
  getCaller: ["approval", "scopes"],
  getSampleData: ["may_change"],
};

/** Someone who may just call an operation, and an input that succeeds there. */
async function justEnough(operation: Operation): Promise<{ stage: Stage; byKey: As; inBrowser: As }> {
  const { scope } = operation.contract;
  const stage = await createStage(leastPlanOf(operation));
  const role = leastRoleOf(operation);
  const { cookie } = await stage.person(role);
  // What only reads is answered even when writes need approval.
  const key = await stage.key([scope], { approval: scope === "read" ? "writes" : "none" });
  if (role !== "owner") await stage.person("owner");
  return { stage, byKey: { key }, inBrowser: { cookie, workspace: stage.id } };
}

const asked = (operation: Operation): string => {
  const { scope, feature } = operation.contract;
  const plan = feature === undefined ? "no plan" : `the plan ${leastPlanOf(operation)}`;
  return `the scope ${scope}, ${plan} and the role ${leastRoleOf(operation)}`;
};

describe.each(everyOperation.map(([name, operation]) => [name, asked(operation), operation] as const))(
  "%s needs %s",
  (name, _asked, operation) => {
    const { contract } = operation;

    test("and no more, and answers the same by each way", async () => {
      const shapeOf = (answer: unknown) => {
        const own = Object.entries(answer ?? {}).filter(([field]) => !aboutCaller[name]?.includes(field));
        return comparable(Object.fromEntries(own));
      };
      const begin = async () => {
        const enough = await justEnough(operation);
        return { ...enough, input: await inputOf(name, enough.stage) };
      };
      // What reads leaves all as it was; what writes begins anew each time.
      const begun = contract.http.method === "GET" ? await begin() : null;
      const answers: unknown[] = [];
      for (const way of contract.surface === "public" ? (["byKey", "inBrowser"] as const) : (["inBrowser"] as const)) {
        const { input, [way]: as } = begun ?? (await begin());
        const answered = await send(operation, input, as);
        expect(answered.status, `${way}: ${answered.text}`).toBe(successStatus(contract, answered.body));
        answers.push(shapeOf(answered.body));
      }
      const { stage, input } = begun ?? (await begin());
      const behind = shapeOf(await operation.execute(stage.caller, input));
      for (const answer of answers) expect(answer).toEqual(behind);
    });
  },
);

/** Callers that are refused, and so leave nothing to each other. */
const keys: Partial<Record<Scope, As>> = {};
const people: Partial<Record<Role, As>> = {};
const onPlans: Partial<Record<Plan, { reader: As; owner: As }>> = {};
beforeAll(async () => {
  const signedIn = async (stage: Stage, role: Role): Promise<As> => {
    const { cookie } = await stage.person(role);
    return { cookie, workspace: stage.id };
  };
  const highest = await createStage();
  for (const scope of ["read", "write"] as const) keys[scope] = { key: await highest.key([scope]) };
  for (const role of ["viewer", "member", "admin"] as const) people[role] = await signedIn(highest, role);
  for (const plan of ["free", "growth"] as const) {
    const stage = await createStage(plan);
    onPlans[plan] = { reader: { key: await stage.key(["read"]) }, owner: await signedIn(stage, "owner") };
  }
});

/** A request of the operation that would fail every check of its address and its body. */
const hopeless = (operation: Operation, as: As) =>
  send(operation, Object.fromEntries(pathFields(operation.contract).map((field) => [field, newId()])), as, brokenIn);

function brokenIn(sent: SurfaceRequest): void {
  sent.path += "?no_such_parameter=1&limit=x";
  if (sent.init.body !== undefined) sent.init.body = '{"broken';
}

const byKey = everyOperation.filter(([, { contract }]) => contract.surface === "public");
const withScopes = byKey.filter(([, operation]) => scopesBelow(operation).length > 0);
const withPlans = everyOperation.filter(([, operation]) => plansBelow(operation).length > 0);
const withRoles = everyOperation.filter(([, operation]) => rolesBelow(operation).length > 0);
const closedToMembers = everyOperation.filter(([, operation]) => isClosedToMembers(operation));

test.each(withScopes)("%s is refused to a key of a lower scope", async (_name, operation) => {
  for (const scope of scopesBelow(operation)) {
    const { status, body } = await hopeless(operation, keys[scope as Scope] as As);
    const { scope: required_scope } = operation.contract;
    expect([status, body], scope).toMatchObject([403, { error: "insufficient_scope", required_scope }]);
  }
});

test.each(withPlans)("%s is refused on a lower plan, whatever the scope", async (_name, operation) => {
  const { feature } = operation.contract;
  for (const plan of plansBelow(operation)) {
    const { reader, owner } = onPlans[plan] as { reader: As; owner: As };
    const refused = {
      error: "feature_not_in_plan",
      feature,
      required_plan: planFeatures[feature as keyof typeof planFeatures].plan,
      current_plan: plan,
    };
    for (const as of [reader, owner]) {
      if ("key" in as && operation.contract.surface !== "public") continue;
      const { status, body } = await hopeless(operation, as);
      expect([status, body], plan).toMatchObject([402, refused]);
    }
  }
});

test.each(withRoles)("%s is refused to a lower role", async (_name, operation) => {
  for (const role of rolesBelow(operation)) {
    const { status, body } = await hopeless(operation, people[role] as As);
    const hasScope = scopesOfRole[role].includes(operation.contract.scope);
    const code = hasScope ? "role_required" : "insufficient_scope";
    expect([status, body.error], role).toEqual([403, code]);
  }
});

test.each(closedToMembers)("%s is refused to a viewer who asks for what concerns others", async (name, operation) => {
  const stage = await createStage();
  const { cookie } = await stage.person("viewer");
  await stage.person("owner");
  const answered = await send(operation, await inputOf(name, stage), { cookie, workspace: stage.id });
  expect([answered.status, answered.body.error]).toEqual([403, "role_required"]);
});
