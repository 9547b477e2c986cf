import type { WorkspaceId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { jobKind } from "#lib/jobs/queue.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import { addressOf } from "#lib/providers/endpoints.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { Provider } from "../contract.ts";
import {
  type ConnectionRow,
  deleteConnection,
  findConnectionById,
  findConnections,
  markRegistered,
  markTrouble,
} from "../queries.ts";
import { adviceOf } from "../rules.ts";
import { tellChanged } from "./changed.ts";
import { openCredentials, openSecret } from "./sealed.ts";

// Both act on the portal, so those of a workspace run one after the other, in the order they were queued.
const queue = "connections";
export const registering = jobKind("connections:register", {
  label: "Register the webhook of a connection",
  ids: ["connection_id"],
  queue,
  once: true,
});
export const forgetting = jobKind("connections:forget", {
  label: "Delete the webhook of a removed connection",
  ids: ["connection_id"],
  queue,
  once: true,
});

/** What providers usually refuse: an address on this machine or in a private network. */
const UNREACHABLE_FOR_IT = "Check that APP_URL of this server is a public https address, then try again.";

/** Where a provider delivers what happens in this workspace. */
export function receivingUrl(provider: Provider, workspaceId: WorkspaceId): string {
  const { APP_URL, PORT } = getBoot().env;
  return `${APP_URL ?? `http://localhost:${PORT}`}/inbound/${provider}/${workspaceId}`;
}

/** How to subscribe at a connection's provider; null for one that people set up by hand. */
function subscriptionsOf(row: ConnectionRow) {
  const provider = isProviderName(row.provider) ? providerOf(row.provider) : null;
  if (!provider || !isProviderName(row.provider) || provider.deliveries !== "registered") return null;
  const at = [addressOf(provider), openCredentials(row)] as const;
  const { subscribe, unsubscribe, find } = provider.subscriptions;
  return {
    name: row.provider,
    subscribe: (wanted: { url: string; secret: string }, webhookId: string | null) =>
      subscribe(...at, wanted, webhookId),
    unsubscribe: (id: string) => unsubscribe(...at, id),
    find: (url: string) => find(...at, url),
  };
}

/**
 * Makes the provider deliver to us. The secret was kept before, so a run after a crash anywhere finds or replaces the
 * webhook of the run before it, and never leaves a second one.
 */
export const registerWebhook = resumable(registering, {
  begin:
    (job, { connection_id }) =>
    () =>
      register(job, connection_id),
});

async function register({ caller: { workspaceId }, last }: JobRun, connectionId: string): Promise<StepResult> {
  const row = await withWorkspace(workspaceId, (db) => findConnectionById(db, connectionId), { readOnly: true });
  const secret = row && openSecret(row);
  const provider = row && subscriptionsOf(row);
  if (!row || row.removedAt || !secret || !provider) return "done";
  const change = (work: (db: Db) => Promise<void>) =>
    withWorkspace(workspaceId, async (db) => {
      await work(db);
      tellChanged({ db, workspaceId });
    });
  try {
    const url = receivingUrl(provider.name, workspaceId);
    const webhookId = await provider.subscribe({ url, secret }, row.webhookId);
    await change((db) => markRegistered(db, row.id, webhookId));
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    const message = adviceOf(provider.name, "The webhook is not registered", error, UNREACHABLE_FOR_IT);
    const trouble = { message, refused: error.trouble === "refused", webhook: true };
    await change((db) => markTrouble(db, row.id, trouble));
    if (!error.isRetryable || last) return "done"; // people must act now; the card says what to do
    if (error.retryAfterMs === null) throw error;
    return { waitMs: error.retryAfterMs };
  }
  return "done";
}

/** Deletes the webhook of a removed connection at the provider, then what we kept of the connection. */
export const forgetWebhook = resumable(forgetting, {
  begin:
    (job, { connection_id }) =>
    () =>
      forget(job, connection_id),
});

async function forget({ caller: { workspaceId }, last }: JobRun, connectionId: string): Promise<StepResult> {
  const [row, all] = await withWorkspace(
    workspaceId,
    (db) => together([findConnectionById(db, connectionId), findConnections(db)]),
    { readOnly: true },
  );
  const provider = row && subscriptionsOf(row);
  if (!row?.removedAt || !provider) return "done";
  const standing = all.find((one) => one.provider === row.provider) ?? null;
  // Connected again with the same portal: the new connection takes the webhook over, so it must stay.
  if (standing === null || standing.portalId !== row.portalId) {
    try {
      const url = receivingUrl(provider.name, workspaceId);
      const webhookIds = row.webhookId ? [row.webhookId] : await provider.find(url);
      for (const id of webhookIds) await provider.unsubscribe(id);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      if (error.retryAfterMs !== null && !last) return { waitMs: error.retryAfterMs };
      if (error.isRetryable && !last) throw error;
      // A key that was revoked cannot delete anything: deliveries that still come are refused.
    }
  }
  await withWorkspace(workspaceId, (db) => deleteConnection(db, row.id));
  return "done";
}

/**
 * For deleting a workspace: returns what deletes its webhooks at the provider afterwards. Tried once; a webhook that
 * remains delivers to an address that no longer exists.
 */
export async function webhooksToLeave({ db }: { db: Db }): Promise<() => Promise<void>> {
  const ends = (await findConnections(db)).flatMap((row) => {
    const [id, provider] = [row.webhookId, subscriptionsOf(row)];
    return id && provider ? [() => provider.unsubscribe(id)] : [];
  });
  return async () => {
    for (const end of ends) await end();
  };
}
