import { featureOf } from "#lib/core/operation.ts";
import { type Plan, planFeatures, plans, type Role, roleForScope, roles, type Scope, scopes } from "#lib/core/plans.ts";
import type { Operation } from "#lib/domain/implement.ts";

/** The lowest plan on which an operation can be called. */
export function leastPlanOf({ contract }: Operation): Plan {
  const feature = featureOf(contract);
  return feature === undefined ? plans[0] : planFeatures[feature].plan;
}

/** Operations whose service refuses a member what their scenario asks for, although their contract lets members in. */
const closed: ReadonlySet<string> = new Set([
  "previewRemoval",
  "removeMember",
  "changeConnectedClient",
  "revokeConnectedClient",
]);

/** The lowest role that may call an operation as its scenario does. */
export const leastRoleOf = ({ contract: { name, role, scope } }: Operation): Role =>
  role ?? (closed.has(name) ? "admin" : roleForScope(scope));

/** What comes before `one` in a list of steps, the lowest first. */
const below = <T>(steps: readonly T[], one: T): T[] => steps.slice(0, steps.indexOf(one));

export const plansBelow = (operation: Operation): Plan[] => below(plans, leastPlanOf(operation));
export const scopesBelow = ({ contract }: Operation): Scope[] => below(scopes, contract.scope);
/** Roles that are refused before the input is read. */
export const rolesBelow = (operation: Operation): Role[] =>
  closed.has(operation.contract.name) ? [] : below(roles, leastRoleOf(operation));
export const isClosedToMembers = ({ contract }: Operation): boolean => closed.has(contract.name);
