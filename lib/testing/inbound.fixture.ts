import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeAll } from "vitest";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { encrypt } from "#lib/db/encrypted.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/domain/encrypted-columns.ts";
import { listInboundDeliveries } from "#lib/domain/integrations/inbound/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith, inspect } from "./database.ts";
import { useServer } from "./server.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "./workspace.fixture.ts";

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

/** A workspace with both providers. */
export async function connected(ownAddresses: string[] = []): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "cal_com", { ownAddresses });
  await connectProvider(workspace.id, "fathom");
  return workspace;
}

/** A server to which providers deliver; attempts are made in this process, one by one. */
export function useInbound() {
  beforeAll(() => bootWith({ WORKER: "separate" }));
  const server = useServer();
  return {
    server,
    /** Sends what a provider of a workspace would. */
    deliver: ({ id }: TestWorkspace, { body, headers }: ProviderRequest) => {
      const provider = "webhook-id" in headers ? "fathom" : "cal_com";
      return server.call(`/inbound/${provider}/${id}`, { raw: body, headers });
    },
    /** Adds people by their addresses. */
    contact: async (workspace: TestWorkspace, ...emails: string[]) => {
      const key = await workspace.key();
      for (const email of emails) await server.call("/v2/people", { key, body: { email } });
    },
    list: async ({ caller }: TestWorkspace, input: Record<string, unknown> = {}) =>
      listInboundDeliveries.execute(caller, input),
  };
}

type Activity = {
  email: string;
  type: string;
  value: { description?: string; metadata?: Record<string, unknown> };
  external_id: string;
  observed_at: Date;
  source: string;
};

/** The timeline's activities of everyone, by person. */
export const activities = ({ id }: TestWorkspace) =>
  inspect<Activity>(
    `SELECT i.value AS email, substr(o.property, 13) AS type, o.value, o.external_id, o.observed_at, o.source
     FROM observations o JOIN identifiers i ON i.workspace_id = o.workspace_id AND i.entity_id = o.entity_id AND i.kind = 'email'
     WHERE o.workspace_id = $1 AND o.property LIKE 'interaction.%' ORDER BY o.seq`,
    [id],
  );

export const notes = ({ id }: TestWorkspace) =>
  inspect<{ email: string; type: string; title: string; content: string; date: Date; source: string }>(
    `SELECT i.value AS email, n.type::text, n.title, n.content, n.date, n.source FROM notes n
     JOIN identifiers i ON i.workspace_id = n.workspace_id AND i.entity_id = n.entity_id AND i.kind = 'email'
     WHERE n.workspace_id = $1 ORDER BY i.value`,
    [id],
  );

export const people = async ({ id }: TestWorkspace) =>
  (
    await inspect<{ value: string }>(
      "SELECT value FROM identifiers WHERE workspace_id = $1 AND kind = 'email' ORDER BY value",
      [id],
    )
  ).map(({ value }) => value);

export const connectionOf = async ({ id }: TestWorkspace, provider: string) =>
  (
    await inspect<{ webhook_status: string; last_event_at: Date | null }>(
      "SELECT webhook_status, last_event_at FROM connections WHERE workspace_id = $1 AND provider = $2",
      [id, provider],
    )
  )[0];

export const changed = (sample: { triggerEvent: string; payload: object }, more: Record<string, unknown>) => ({
  ...sample,
  payload: { ...sample.payload, ...more },
});
