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
  key_limits: {
    plan: "scale",
    name: "Limits of API keys and clients",
    about: "limit a key or client to kinds of records, and hide fields such as phone numbers from it.",
  },
} as const satisfies Record<string, PlanFeature>;
export type Feature = keyof typeof planFeatures;

export const features = Object.keys(planFeatures) as Feature[];

/** True when `plan` has the feature. */
export const planHas = (plan: Plan, feature: Feature): boolean =>
  plans.indexOf(plan) >= plans.indexOf(planFeatures[feature].plan);

export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** What an API key may be for: the scopes, and `directory`, which manages members by SCIM and reads nothing else. */
export const keyScopes = [...scopes, "directory"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** True for each scope but `directory`. */
export const isScope = (scope: KeyScope): scope is Scope => scope !== "directory";

/** Each scope implies the ones before it. */
export const scopeIncludes = (ownScopes: readonly KeyScope[], needed: Scope): boolean =>
  ownScopes.some((scope) => isScope(scope) && scopes.indexOf(scope) >= scopes.indexOf(needed));

/** Why a credential with these scopes, or a member of this role, may not do what needs another. */
export const scopeFault = (ownScopes: readonly KeyScope[], required_scope: Scope, role: Role | null = null): Fault => {
  const own = ownScopes.length > 0 ? ownScopes.join(", ") : "none";
  const lacks = role !== null && !scopesOfRole[role].includes(required_scope);
  const why = lacks
    ? `Your role in this workspace is ${role}; this needs ${roleForScope(required_scope)}. Ask an owner or admin to change your role.`
    : `This needs the scope ${required_scope}; the credential has ${own}.`;
  return new Fault("insufficient_scope", { required_scope }, why);
};

/**
 * What of a key waits until a person approves it: nothing, all it writes, or (`human_fields`) what would change what a person
 * said or did.
 */
export const approvalModes = ["none", "writes", "human_fields"] as const;
export const approvalWords =
  "What waits for a person's approval: `none`, all `writes`, or `human_fields`: what would change what a person said, and what deletes.";
export type ApprovalMode = (typeof approvalModes)[number];

/** True for a caller who may write what machines said, but not what people said. */
export const leavesToPeople = ({ approval }: { approval?: ApprovalMode }): boolean => approval === "human_fields";

export const roles = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** What a member of each role may do; keys and clients that act for them may do no more. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ["read"],
  member: ["read", "write"],
  admin: ["read", "write", "admin"],
  owner: ["read", "write", "admin"],
};

/** Those of the scopes that a member of this role may have. */
export const withinRole = (scopes: readonly KeyScope[], role: Role): Scope[] =>
  scopes.filter(isScope).filter((scope) => scopesOfRole[role].includes(scope));

/** The least role whose members may do what needs this scope. */
export const roleForScope = (scope: Scope): Role => roles.find((role) => scopesOfRole[role].includes(scope)) ?? "owner";

/** Each role may do everything that the ones before it may. */
export const roleIncludes = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
