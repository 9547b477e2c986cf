import { randomBytes } from "node:crypto";
import { seal, unseal } from "#lib/db/sealed.ts";
import { purposeOfTriggerSecret } from "#lib/domain/encrypted-columns.ts";
import { signatureHeaders, standardWebhooks } from "#lib/settings/webhook-signatures.ts";
import type { TriggerRow } from "../queries.ts";

/** A new signing secret: `whsec_` and 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export const sealSecret = (triggerId: string, secret: string): string =>
  seal(purposeOfTriggerSecret(triggerId), secret);

type SealedSecrets = Pick<TriggerRow, "id" | "secret" | "oldSecret" | "oldSecretUntil">;

/** The secrets that sign now: the present one, and during an overlap the one before. */
export function signingSecrets({ id, secret, oldSecret, oldSecretUntil }: SealedSecrets, now: Date): string[] {
  const open = (sealed: string) => unseal(purposeOfTriggerSecret(id), sealed);
  const overlaps = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now;
  return overlaps ? [open(secret), open(oldSecret)] : [open(secret)];
}

/** The headers that sign a body, with a signature of each secret. */
export function signed(secrets: readonly string[], id: string, body: string, at: Date): Record<string, string> {
  const headers = secrets.map((secret) => signatureHeaders(standardWebhooks, secret, body, { id, at }));
  const { header } = standardWebhooks;
  return { ...headers[0], [header]: headers.map((each) => each[header]).join(" ") };
}
