import { getBoot } from "#lib/core/boot.ts";
import { decrypt } from "#lib/db/encrypted.ts";
import { purposeOfSigningSecret } from "#lib/db/encrypted-columns.ts";
import type { Db } from "#lib/db/transaction.ts";
import { memberAddresses } from "#lib/domain/members/service.ts";
import { findConnection, markLive } from "./queries.ts";

type OnDb = { db: Db };

/**
 * The secret that a provider's deliveries to this workspace are signed with: the connection's, for `fathom` else the
 * installation's. Null when there is neither; then no delivery can be believed.
 */
export async function findSigningSecret({ db }: OnDb, provider: string): Promise<string | null> {
  const connection = await findConnection(db, provider);
  const { env, secrets } = getBoot();
  if (connection?.signingSecret)
    return decrypt(secrets.encryptionKeys, purposeOfSigningSecret(connection.id), connection.signingSecret);
  return provider === "fathom" ? (env.FATHOM_WEBHOOK_SECRET ?? null) : null;
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
