import type { WorkspaceId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { handles } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { addressOf } from "#lib/providers/endpoints.ts";
import type { Credentials } from "#lib/providers/provider.ts";
import { providerOf } from "#lib/providers/registry.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Provider } from "../contract.ts";
import {
  type ConnectionRow,
  findConnection,
  findConnections,
  hasUnasked,
  markAsked,
  markTrouble,
  markWell,
} from "../queries.ts";
import { adviceOf } from "../rules.ts";
import { requireProvider } from "./asking.ts";
import { tellChanged } from "./changed.ts";
import { openCredentials } from "./sealed.ts";

/** What a provider says about the credentials of a connection. No answer says nothing about them. */
export type Standing = { provider: Provider; row: ConnectionRow } & (
  | { says: "accepted"; endsAt: Date | null }
  | { says: "refused" | "nothing"; fault: ProviderFault }
  /** they were sealed with a key that this server does not have */
  | { says: "unreadable" }
);

const asking = jobKind("connections:ask", {
  label: "Ask providers whether they still accept our credentials",
  ids: [],
  // The next hour asks again.
  attempts: 1,
  queue: "connections-ask",
  shared: true,
  once: true,
  priority: 5,
});

/** A provider that answered is asked again after so long. */
const EVERY_MS = DAY_MS;

const UNREADABLE =
  "The credentials cannot be read: they were sealed with an encryption key that this server does not have. Connect again, or set the key in ENCRYPTION_KEY.";

/** Asks every connected provider, all at once and each for so long, whether it accepts our credentials. By name. Changes nothing. */
export async function askConnected(workspaceId: WorkspaceId): Promise<Standing[]> {
  const rows = await withWorkspace(workspaceId, findConnections, { readOnly: true });
  return together(rows.toSorted((a, b) => (a.provider < b.provider ? -1 : 1)).map(standingOf));
}

async function standingOf(row: ConnectionRow): Promise<Standing> {
  const provider = requireProvider(row.provider);
  const description = providerOf(provider);
  let credentials: Credentials;
  try {
    credentials = openCredentials(row);
  } catch {
    return { provider, row, says: "unreadable" };
  }
  try {
    const { endsAt = null } = await description.ask(addressOf(description), credentials);
    return { provider, row, says: "accepted", endsAt };
  } catch (fault) {
    if (!(fault instanceof ProviderFault)) throw fault;
    return { provider, row, says: fault.trouble === "refused" ? "refused" : "nothing", fault };
  }
}

/** Asks, and shows at the connections what was said. */
export const askProviders = handles(asking, async ({ caller: { workspaceId } }) => {
  const standings = await askConnected(workspaceId);
  for (const standing of standings) await note(workspaceId, standing);
});

const note = (workspaceId: WorkspaceId, standing: Standing): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    const { provider, row, says } = standing;
    const current = await findConnection(db, provider);
    // Others were saved meanwhile, and these say nothing about them.
    if (says === "nothing" || current?.credentials !== row.credentials) return;
    await markAsked(db, row.id, new Date(), says === "accepted" ? standing.endsAt : row.credentialsEndAt);
    if (says === "accepted") {
      if (!current.isVerified) await markWell(db, provider);
    } else {
      const what = "Rapport asked whether the connection still works";
      const message = says === "refused" ? adviceOf(provider, what, standing.fault) : UNREADABLE;
      await markTrouble(db, row.id, { message, refused: true, webhook: false });
    }
    tellChanged({ db, workspaceId });
  });

/** Queues the question when one of the providers was not asked for a day. */
export const queueAsking = (workspaceId: WorkspaceId, now = new Date()): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    if (await hasUnasked(db, new Date(now.getTime() - EVERY_MS))) await enqueue(db, asking, {});
  });
