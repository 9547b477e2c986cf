import { type ErrorCode, Fault } from "./errors.ts";

/** How members must have signed in to open a workspace. */
export const signInDemands = ["any", "second_factor", "oidc"] as const;
export type SignInDemand = (typeof signInDemands)[number];

/** What the person of a session gave to sign in. */
export type SignInProof = {
  /** A code or a passkey, when they signed in or later in the session. */
  secondFactor: boolean;
  /** They came from the server's OIDC provider. */
  byOidc: boolean;
};

/** What a password, Google or GitHub alone proves. */
export const oneFactor: SignInProof = { secondFactor: false, byOidc: false };

/** Whether a sign-in is enough for a workspace that demands this. */
export const meetsDemand = ({ secondFactor, byOidc }: SignInProof, demand: SignInDemand): boolean =>
  demand === "any" || (demand === "oidc" ? byOidc : secondFactor);

const codes: Readonly<Record<Exclude<SignInDemand, "any">, ErrorCode>> = {
  second_factor: "second_factor_required",
  oidc: "oidc_required",
};

/** Throws 403 `second_factor_required` or `oidc_required` when the sign-in is not enough for the workspace. */
export function requireDemand(proof: SignInProof, { demand }: { demand: SignInDemand }): void {
  if (demand !== "any" && !meetsDemand(proof, demand)) throw new Fault(codes[demand]);
}
