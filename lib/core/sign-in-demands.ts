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

/** What a workspace demands. `oidcIssuer`: the provider that brings its members, and then the only one that counts. */
export type WorkspaceDemand = { demand: SignInDemand; oidcIssuer: string | null };

/** What a password, Google or GitHub alone proves. */
export const oneFactor: SignInProof = { secondFactor: false, byOidc: false, oidcIssuer: null };

/** Whether a sign-in is enough for a workspace that demands this. */
export function meetsDemand(proof: SignInProof, { demand, oidcIssuer }: WorkspaceDemand): boolean {
  if (demand === "any") return true;
  if (demand === "second_factor") return proof.secondFactor;
  return proof.byOidc && (oidcIssuer === null || proof.oidcIssuer === oidcIssuer);
}

const codes: Readonly<Record<Exclude<SignInDemand, "any">, ErrorCode>> = {
  second_factor: "second_factor_required",
  oidc: "oidc_required",
};

/** Throws 403 `second_factor_required` or `oidc_required` when the sign-in is not enough for the workspace. */
export function requireDemand(proof: SignInProof, workspace: WorkspaceDemand): void {
  const { demand } = workspace;
  if (demand !== "any" && !meetsDemand(proof, workspace)) throw new Fault(codes[demand]);
}
