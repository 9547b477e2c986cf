import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { type Contract, featureOf } from "#lib/core/operation.ts";
import { parseInput } from "#lib/core/parse-input.ts";
import { type Feature, planFeatures, planHas, roleIncludes, scopeFault, scopeIncludes } from "#lib/core/plans.ts";
import { requireProofFor } from "#lib/core/proof.ts";
import { requireVisible } from "./hidden-fields.ts";
import { requireInputWithin, requireWithin } from "./reach.ts";

/** Throws 402 when the workspace's plan does not have a feature. */
function requireFeature({ plan }: Pick<Caller, "plan">, feature: Feature | undefined): void {
  if (feature === undefined || planHas(plan, feature)) return;
  const { plan: required_plan, name } = planFeatures[feature];
  const message = `Not part of the plan ${plan} of this workspace: ${name}. It comes with ${required_plan}.`;
  throw new Fault("feature_not_in_plan", { feature, required_plan, current_plan: plan }, message);
}

/** Throws 402 or 403 when the caller may not run this operation. */
export function authorize(contract: Contract, caller: Caller): void {
  requireFeature(caller, featureOf(contract));
  if (!scopeIncludes(caller.scopes, contract.scope)) throw scopeFault(caller.scopes, contract.scope, caller.role);
  if (contract.role && !(caller.role && roleIncludes(caller.role, contract.role))) {
    throw new Fault("role_required", { required_role: contract.role });
  }
  if (caller.limits) requireWithin(contract, caller.limits);
}

/** Whether this input makes the operation write. */
export const isWrite = <I extends z.ZodObject, O extends z.ZodType>(
  { scope, writes }: Contract<I, O>,
  input: z.output<I>,
): boolean => (writes ? writes(input) : scope !== "read");

/** Whether a person must approve this input before it is done, wherever it writes. */
export function needsApproval<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  { approval }: Pick<Caller, "approval">,
  input: z.output<I>,
): boolean {
  if (approval === undefined || approval === "none" || !isWrite(contract, input)) return false;
  const { asksPerson = () => contract.scope === "admin" || contract.http.method === "DELETE" } = contract;
  return approval === "writes" || asksPerson(input);
}

/** Checks what the plan must have for these fields, then the input, then what it asks of the caller. */
export function accept<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  caller: Caller,
  raw: unknown,
): z.output<I> {
  if (typeof contract.feature === "object")
    for (const [field, feature] of Object.entries(contract.feature))
      if (isGiven(raw, field)) requireFeature(caller, feature);
  const input = parseInput(contract, raw);
  if (isWrite(contract, input) && !scopeIncludes(caller.scopes, "write"))
    throw scopeFault(caller.scopes, "write", caller.role);
  requireProofFor(contract, caller.provenAt, input);
  if (caller.limits) {
    requireVisible(contract, caller.limits, input);
    requireInputWithin(contract, caller.limits, input);
  }
  return input;
}

const isGiven = (raw: unknown, field: string): boolean =>
  typeof raw === "object" && raw !== null && Object.hasOwn(raw, field) && raw[field as keyof typeof raw] !== null;
