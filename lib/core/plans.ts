export const plans = ["free", "growth", "scale"] as const;
export type Plan = (typeof plans)[number];

/** True when `plan` includes everything in `needed`. */
export const planIncludes = (plan: Plan, needed: Plan): boolean => plans.indexOf(plan) >= plans.indexOf(needed);

export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Each scope implies the ones before it. */
export const scopeIncludes = (held: readonly Scope[], needed: Scope): boolean =>
  held.some((scope) => scopes.indexOf(scope) >= scopes.indexOf(needed));

/** Which operations of a key wait until a person approves them. */
export const approvalModes = ["none", "writes"] as const;
export type ApprovalMode = (typeof approvalModes)[number];

export const roles = ["member", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** Each role may do everything that the ones before it may. */
export const roleIncludes = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed);
