import { type ErrorCode, Fault } from "./errors.ts";

/** How members must have signed in to open a workspace. */
export const signInDemands = ["any", "second_factor", "oidc"] as const;
export type SignInDemand = (typeof signInDemands)[number];

/** What the person of a session gave to sign in. */
export type SignInProof = {
  /** A code or a passkey, when they signed in or later in the session. */
  secondFactor: boolean;
  /** They came from an OIDC provider of the server. */
  byOidc: boolean;
  /** The provider's issuer; null where they came from none, and in sessions that began before it was kept. */
  oidcIssuer: string | null;
};

/** A demand that something is asked for. */
export type Demanded = Exclude<SignInDemand, "any">;

/**
 * What a workspace and this server demand of its members. `oidcIssuer`: the provider that brings its members, and then the only one that
 * counts.
 */
export type WorkspaceDemands = { demands: readonly Demanded[]; oidcIssuer: string | null };

/** What a password, Google or GitHub alone proves. */
export const oneFactor: SignInProof = { secondFactor: false, byOidc: false, oidcIssuer: null };

/** Whether a sign-in is enough for a demand. */
export const meetsDemand = (proof: SignInProof, demand: SignInDemand, oidcIssuer: string | null): boolean => {
  if (demand === "any") return true;
  if (demand === "second_factor") return proof.secondFactor;
  return proof.byOidc && (oidcIssuer === null || proof.oidcIssuer === oidcIssuer);
};

/** What several demand together, such as a workspace and the server. */
export const demandsOf = (...demands: readonly SignInDemand[]): readonly Demanded[] =>
  [...new Set(demands)].filter((demand) => demand !== "any");

/** The first demand that a sign-in is not enough for; null when it is enough for all. */
export const unmetDemand = (proof: SignInProof, { demands, oidcIssuer }: WorkspaceDemands): Demanded | null =>
  demands.find((demand) => !meetsDemand(proof, demand, oidcIssuer)) ?? null;

const codes: Readonly<Record<Demanded, ErrorCode>> = {
  second_factor: "second_factor_required",
  oidc: "oidc_required",
};

/** Throws 403 `second_factor_required` or `oidc_required` when the sign-in is not enough for the workspace. */
export function requireDemands(proof: SignInProof, workspace: WorkspaceDemands): void {
  const unmet = unmetDemand(proof, workspace);
  if (unmet !== null) throw new Fault(codes[unmet]);
}
