import { Fault } from "./errors.ts";

export const plans = ["free", "growth", "scale"] as const;
export type Plan = (typeof plans)[number];

export const planNames: Readonly<Record<Plan, string>> = { free: "Free", growth: "Growth", scale: "Scale" };

/** One thing that a plan may have. `plan`: the lowest that has it. `about` completes "With it you can …". */
type PlanFeature = { plan: Plan; name: string; about: string };

/**
 * What each plan has, in the order in which pages show it. Operations name the feature they need (`feature` of their
 * contract); gates, the workspace's status and pages read this table.
 */
export const planFeatures = {
  profile_and_records: {
    plan: "free",
    name: "GTM profile, people, companies and notes",
    about: "keep what you know about your market and everyone you sell to.",
  },
  agents: { plan: "free", name: "API keys and agents", about: "connect agents and your own programs." },
  icp_scoring: { plan: "free", name: "ICP scoring", about: "see how well each contact fits." },
  crm_sync: {
    plan: "growth",
    name: "CRM sync",
    about: "push contacts, stages, notes and activities to your CRM.",
  },
  lead_lists: {
    plan: "scale",
    name: "Lead lists and the leads API",
    about: "keep lists of leads with columns of your own, and see who was written to, who replied and what they said.",
  },
} as const satisfies Record<string, PlanFeature>;
export type Feature = keyof typeof planFeatures;

export const features = Object.keys(planFeatures) as Feature[];

/** True when `plan` has the feature. */
export const planHas = (plan: Plan, feature: Feature): boolean =>
  plans.indexOf(plan) >= plans.indexOf(planFeatures[feature].plan);

export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Each scope implies the ones before it. */
export const scopeIncludes = (ownScopes: readonly Scope[], needed: Scope): boolean =>
  ownScopes.some((scope) => scopes.indexOf(scope) >= scopes.indexOf(needed));

/** Why a credential with these scopes may not do what needs another. */
export const scopeFault = (ownScopes: readonly Scope[], required_scope: Scope): Fault =>
  new Fault(
    "insufficient_scope",
    { required_scope },
    `This needs the scope ${required_scope}; the credential has ${ownScopes.length > 0 ? ownScopes.join(", ") : "none"}.`,
  );

/** Which operations of a key wait until a person approves them. */
export const approvalModes = ["none", "writes"] as const;
export type ApprovalMode = (typeof approvalModes)[number];

export const roles = ["member", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** Each role may do everything that the ones before it may. */
export const roleIncludes = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
