/** Random requests of every operation, right and wrong ones, and what each may be answered. */
import { pathFields } from "#lib/core/operation.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { operations } from "#lib/registry.ts";
import { inputOf, scenarioOf } from "../conformance/scenarios.ts";
import type { Stage } from "../conformance/stage.ts";
import { type As, requestOf, type SurfaceRequest } from "../conformance/surface.ts";
import { mutationsOf } from "../conformance/wrong-values.ts";
import type { Chance } from "./chance.ts";
import { type Letter, marked, markOf } from "./ledger.ts";

export type Tenant = { letter: Letter; stage: Stage; key: string; otherKey: string; cookie: string };

/** How a request goes wrong on purpose. */
type Plan =
  | { kind: "none" }
  /** in the app, at this many awaits or lists of branches from its start (see `inside.ts`) */
  | { kind: "fault" | "refusal" | "branch"; at: number }
  /** the client goes after this many milliseconds */
  | { kind: "hang up"; after: number }
  /** like `hang up`, but with a byte of the body still to come: where there is one */
  | { kind: "half a body"; after: number }
  | { kind: "wrong input" };

export type Request = {
  tenant: Tenant;
  operation: Operation;
  sent: SurfaceRequest;
  plan: Plan;
  /** in the free texts of its input */
  number: number;
  idempotent: boolean;
};

/**
 * Left out: what would delete the tenant or the one connection that others need, and what waits for outside systems.
 * The conformance tests run these.
 */
const left = new Set([
  ...["deleteWorkspace", "disconnectIntegration"],
  ...["startBackfill", "listBackfillContacts", "cancelBackfill", "resumeBackfill"],
]);

const played = operations.filter(({ contract }) => !left.has(contract.name));

/** What they are given must stay as it is: an old text, a choice of two. */
const unmarked = new Set(["restoreEntry", "listProperties", "listPropertyValues"]);

/** A key reads only what it asked for itself, and the scenario takes the newest key for the one that asked. */
const BY_ASKER = "getApproval";

/** A request whose input was made to succeed in the tenant's workspace, unless its plan says otherwise. */
export async function drawRequest(tenant: Tenant, number: number, chance: Chance, origin: string): Promise<Request> {
  const plan = drawPlan(chance);
  const operation = chance.percent(60) ? chance.pick(light) : chance.pick(played);
  const { contract } = operation;
  const { example, name } = contract;
  const made = scenarioOf(name).input ? await inputOf(name, tenant.stage) : (example.input as Record<string, unknown>);
  const right = unmarked.has(name) ? made : marked(made, markOf(tenant.letter, number));
  const input = plan.kind === "wrong input" ? wrongInput(operation, right, chance) : right;
  const as: As =
    contract.surface === "public" && name !== BY_ASKER && chance.percent(70)
      ? { key: tenant.key }
      : { cookie: tenant.cookie, workspace: tenant.stage.id };
  const sent = requestOf(operation, input, as, origin);
  const idempotent = contract.http.method === "POST" && chance.percent(40);
  if (idempotent) sent.init.headers["idempotency-key"] = `torture-${number}`;
  if (plan.kind === "fault" || plan.kind === "refusal" || plan.kind === "branch")
    sent.init.headers["x-torture"] = `${plan.kind} ${plan.at}`;
  return { tenant, operation, sent, plan, number, idempotent };
}

/** Reads of what is there from the start: they need no preparation, so that many run at the same time. */
const light = played.filter(({ contract: { name, scope } }) => scope === "read" && !scenarioOf(name).input);

/** The known trigger of an early end, or any wrong value at any place. */
function wrongInput(operation: Operation, right: Record<string, unknown>, chance: Chance): Record<string, unknown> {
  if ("focus" in right && chance.percent(50)) return { ...right, focus: "anna@" };
  const { contract } = operation;
  // Without its parameter the path is that of another operation: a slash at the end changes nothing.
  const mutations = mutationsOf(contract, right).filter(({ input }) =>
    pathFields(contract).every((field) => String(input[field] ?? "") !== ""),
  );
  return mutations.length === 0 ? right : chance.pick(mutations).input;
}

function drawPlan(chance: Chance): Plan {
  const drawn = chance.int(1, 100);
  if (drawn <= 45) return { kind: "none" };
  if (drawn <= 60) return { kind: "wrong input" };
  if (drawn <= 67) return { kind: "hang up", after: chance.int(0, 15) };
  if (drawn <= 70) return { kind: "half a body", after: chance.int(0, 15) };
  if (drawn <= 80) return { kind: "branch", at: chance.int(1, 3) };
  // Most work ends within a few awaits; the longest of them has some hundred.
  const at = chance.percent(80) ? chance.int(1, 12) : chance.int(1, 60);
  return { kind: drawn <= 90 ? "fault" : "refusal", at };
}
