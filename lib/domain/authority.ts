import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { type Contract, parseInput } from "#lib/core/operation.ts";
import { type Feature, planFeatures, planHas, roleIncludes, scopeIncludes } from "#lib/core/plans.ts";

/** Throws 402 when the workspace's plan does not have a feature. */
function requireFeature({ plan }: Pick<Caller, "plan">, feature: Feature): void {
  if (planHas(plan, feature)) return;
  const { plan: required_plan, name } = planFeatures[feature];
  const message = `Not part of the plan ${plan} of this workspace: ${name}. It comes with ${required_plan}.`;
  throw new Fault("feature_not_in_plan", { feature, required_plan, current_plan: plan }, message);
}

/** Throws 402 or 403 when the caller may not run this operation. Transports call it before they read the body. */
export function authorize(contract: Contract, caller: Caller): void {
  if (contract.feature) requireFeature(caller, contract.feature);
  if (!scopeIncludes(caller.scopes, contract.scope))
    throw new Fault("insufficient_scope", { required_scope: contract.scope });
  if (contract.role && !(caller.role && roleIncludes(caller.role, contract.role))) {
    throw new Fault("role_required", { required_role: contract.role });
  }
}

/** Checks the caller, then what the plan must have for these fields, then the input, which it returns. */
export function accept<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  caller: Caller,
  raw: unknown,
): z.output<I> {
  authorize(contract, caller);
  for (const [field, feature] of Object.entries(contract.fieldFeatures ?? {}))
    if (isGiven(raw, field)) requireFeature(caller, feature);
  return parseInput(contract, raw);
}

const isGiven = (raw: unknown, field: string): boolean =>
  typeof raw === "object" && raw !== null && Object.hasOwn(raw, field) && raw[field as keyof typeof raw] !== null;
