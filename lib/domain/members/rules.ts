import { Fault } from "#lib/core/errors.ts";
import { type Role, roleIncludes } from "#lib/core/plans.ts";

/**
 * Throws 403 `role_required` unless `actor` may give `to` to someone who has `from` (null: not a member yet; `to`
 * null: remove). Admins manage members and admins; only owners can change who is an owner.
 */
export function requireMayChange(actor: Role | null, from: Role | null, to: Role | null): void {
  const needed: Role = from === "owner" || to === "owner" ? "owner" : "admin";
  if (!actor || !roleIncludes(actor, needed)) throw new Fault("role_required", { required_role: needed });
}

export const INVITATION_DAYS = 7;
