import type { z } from "zod";
import { type ErrorCode, Fault, isFault } from "./errors.ts";
import type { Contract } from "./operation.ts";

/** What a person proves with who they are. */
export type Proof = "password" | "code" | "passkey";

const wrongProofs: Partial<Record<ErrorCode, Proof>> = {
  wrong_password: "password",
  wrong_code: "code",
  wrong_passkey: "passkey",
};

/** Which proof this error says is wrong; undefined for any other. */
export const wrongProof = (error: unknown): Proof | undefined => (isFault(error) ? wrongProofs[error.code] : undefined);

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
