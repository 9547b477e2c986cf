/** What a signed-in person proved: how they signed in, and when they last did. */
import type { z } from "zod";
import { type ErrorCode, Fault } from "./errors.ts";
import type { Contract } from "./operation.ts";

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

/** For this long a person need not prove again who they are. */
const PROOF_MINUTES = 15;

/** Throws 403 `recent_sign_in_required` for a person whose proof is older. */
export function requireProof(provenAt: Date | undefined, now = Date.now()): void {
  if (provenAt && now - provenAt.getTime() > PROOF_MINUTES * 60_000) throw new Fault("recent_sign_in_required");
}

/** The same, where the operation asks for it with this input. */
export function requireProofFor<I extends z.ZodObject, O extends z.ZodType>(
  { recent }: Contract<I, O>,
  provenAt: Date | undefined,
  input: z.output<I>,
): void {
  if (recent?.(input)) requireProof(provenAt);
}
