import { getBoot } from "#lib/core/boot.ts";
import type { Db } from "#lib/db/transaction.ts";
import { memberAddresses } from "#lib/domain/members/service.ts";
import { findConnection, findConnections, markLive } from "./queries.ts";
import { openSecret } from "./service/sealed.ts";

export { connectIntegration, disconnectIntegration, registerAgain, testIntegration } from "./service/connect.ts";
export { getIntegration, listIntegrations } from "./service/list.ts";

type OnDb = { db: Db };

/**
 * The secret that a provider's deliveries to this workspace are signed with: the connection's, for `fathom` else the
 * installation's. Null when there is neither; then no delivery can be believed.
 */
export async function findSigningSecret({ db }: OnDb, provider: string): Promise<string | null> {
  const connection = await findConnection(db, provider);
  const own = connection && openSecret(connection);
  return own ?? (provider === "fathom" ? (getBoot().env.FATHOM_WEBHOOK_SECRET ?? null) : null);
}

/** Notes that a verified delivery of the provider came `at`: its webhook is live. Without a connection nothing happens. */
export const markDelivered = ({ db }: OnDb, provider: string, at: Date): Promise<void> => markLive(db, provider, at);

/**
 * Lower-case addresses that are never contacts at this provider's meetings: of the connected account, and of the
 * workspace's members.
 */
export async function ownAddresses({ db }: OnDb, provider: string): Promise<ReadonlySet<string>> {
  const [connection, members] = await Promise.all([findConnection(db, provider), memberAddresses({ db })]);
  return new Set([...(connection?.ownAddresses ?? []), ...members].map((address) => address.toLowerCase()));
}

/** The providers the workspace is connected to. */
export const connectedProviders = async ({ db }: OnDb): Promise<string[]> =>
  (await findConnections(db)).map(({ provider }) => provider).sort();
