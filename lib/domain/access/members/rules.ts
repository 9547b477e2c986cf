import { Fault } from "#lib/core/errors.ts";
import { type Role, roleIncludes, roles } from "#lib/core/plans.ts";

const neededFor = (from: Role | null, to: Role | null): Role =>
  from === "owner" || to === "owner" ? "owner" : "admin";

/**
 * Throws 403 `role_required` unless `actor` may give `to` to someone who has `from` (null: not a member yet; `to`
 * null: remove). Admins manage members and admins; only owners can change who is an owner.
 */
export function requireMayChange(actor: Role | null, from: Role | null, to: Role | null): void {
  const needed = neededFor(from, to);
  if (!actor || !roleIncludes(actor, needed)) throw new Fault("role_required", { required_role: needed });
}

/** The roles that a member with this one may not invite to; all for who is no member (null). */
export const rolesBeyond = (actor: Role | null): Role[] =>
  roles.filter((to) => !actor || !roleIncludes(actor, neededFor(null, to)));

export const INVITATION_DAYS = 7;
