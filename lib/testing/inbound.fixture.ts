import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { encrypt } from "#lib/db/encrypted.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/domain/encrypted-columns.ts";
import { getBoot } from "#lib/settings/boot.ts";

export const RECORDER_SECRET = `whsec_${Buffer.alloc(32, "recorder").toString("base64")}`;
const BOOKER_SECRET = "8c6f1d0e2b7a4953c1e8f0a9d3b5c7e1";

/** What a provider sends: the body as bytes with the headers that sign it. */
export type ProviderRequest = { body: string | Uint8Array; headers: Record<string, string> };

/** A recording provider's delivery, signed by an independent library. */
export function recorded(
  payload: unknown,
  { secret = RECORDER_SECRET, id = `msg_${newId()}`, at = new Date() } = {},
): ProviderRequest {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  return { body, headers };
}

/** A booking provider's delivery. */
export function booked(payload: unknown, { secret = BOOKER_SECRET } = {}): ProviderRequest {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-cal-signature-256": signature,
    "x-cal-webhook-version": "2021-10-20",
  };
  return { body, headers };
}

/** Gives a workspace a connection that waits for its first delivery, as connecting at the provider would. */
export async function connectProvider(
  workspaceId: WorkspaceId,
  provider: "cal_com" | "fathom",
  { secret = provider === "fathom" ? RECORDER_SECRET : BOOKER_SECRET, ownAddresses = [] as string[] } = {},
): Promise<void> {
  const id = newId();
  const keys = getBoot().secrets.encryptionKeys;
  const data = {
    workspaceId,
    id,
    provider,
    credentials: encrypt(keys, purposeOfCredentials(id), "{}"),
    signingSecret: encrypt(keys, purposeOfSigningSecret(id), secret),
    isVerified: true,
    webhookStatus: "pending" as const,
    ownAddresses,
    createdBy: "user:test",
  };
  await withWorkspace(workspaceId, (db) => db.prisma.connection.create({ data, select: { id: true } }));
}
