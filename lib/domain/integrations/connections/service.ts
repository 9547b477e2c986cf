import type { WorkspaceId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { memberAddresses } from "#lib/domain/access/members/service.ts";
import type { CalComPortal } from "#lib/providers/cal-com/client.ts";
import { portalOf } from "#lib/providers/cal-com/provider.ts";
import type { CrmAdapter } from "#lib/providers/crm.ts";
import { addressOf } from "#lib/providers/endpoints.ts";
import type { Address } from "#lib/providers/provider.ts";
import { isProviderName, providerOf, registry } from "#lib/providers/registry.ts";
import type { ProviderFault } from "#lib/providers/request.ts";
import type { Provider } from "./contract.ts";
import { findConnection, findConnections, markLive, markReconciled, markTrouble, markWell } from "./queries.ts";
import { adviceOf } from "./rules.ts";
import { tellChanged } from "./service/changed.ts";
import { forgiveRefusals } from "./service/refusals.ts";
import { openCredentials, openSecret, serverSecretOf } from "./service/sealed.ts";

export { tellChanged, tellMember } from "./service/changed.ts";
export { checkIntegration } from "./service/check.ts";
export {
  connectedToCrm,
  connectIntegration,
  disconnectIntegration,
  registerAgain,
  testIntegration,
} from "./service/connect.ts";
export { getIntegration, listIntegrations } from "./service/list.ts";
export { countRefusal, listRefusals } from "./service/refusals.ts";
export { askConnected, type Standing } from "./service/standing.ts";
export { receivingUrl, webhooksToLeave } from "./service/webhook.ts";

type OnDb = { db: Db };
type Changing = OnDb & { workspaceId: WorkspaceId };

/**
 * The secret that a provider's deliveries to this workspace are signed with: the connection's, or the
 * installation's when there is none. Null when there is neither; then no delivery can be verified.
 */
export async function findSigningSecret({ db }: OnDb, provider: string): Promise<string | null> {
  const connection = await findConnection(db, provider);
  const own = connection && openSecret(connection);
  return own ?? serverSecretOf(provider);
}

/**
 * Records that a verified delivery of the provider came `at`: marks the connection's webhook, if there is one, as live,
 * and clears what was turned away before.
 */
export async function markDelivered(
  ctx: OnDb & { workspaceId: WorkspaceId },
  provider: string,
  at: Date,
): Promise<void> {
  await markLive(ctx.db, provider, at);
  forgiveRefusals(ctx, provider);
  tellChanged(ctx);
}

/**
 * Lower-case addresses that are never contacts at this provider's meetings: of the connected portal, and of the
 * workspace's members.
 */
export async function ownAddresses({ db }: OnDb, provider: string): Promise<ReadonlySet<string>> {
  const [connection, members] = await together([findConnection(db, provider), memberAddresses({ db })]);
  return new Set([...(connection?.ownAddresses ?? []), ...members].map((address) => address.toLowerCase()));
}

/** The providers the workspace is connected to. */
export const connectedProviders = async ({ db }: OnDb): Promise<string[]> =>
  (await findConnections(db)).map(({ provider }) => provider).sort();

export type BookingConnection = {
  connectionId: string;
  portal: CalComPortal;
  createdAt: Date;
  /** changes at the provider until then are known; null before the first comparison */
  reconciledTo: Date | null;
};

/** The connection with the booking provider; null when there is none. */
export async function findBookingConnection({ db }: OnDb): Promise<BookingConnection | null> {
  const row = await findConnection(db, "cal_com");
  if (!row) return null;
  const { id: connectionId, createdAt, reconciledTo } = row;
  return {
    connectionId,
    portal: portalOf(addressOf(registry.cal_com), openCredentials(row)),
    createdAt,
    reconciledTo,
  };
}

/** A connection with a CRM, ready to be opened. */
export type CrmConnection = {
  connectionId: string;
  provider: Provider;
  displayName: string;
  /** the provider's id of the portal; empty when it does not say */
  portal: string;
  /** whose it is, in words */
  portalName: string | null;
  address: Address;
  token: string;
  crm: CrmAdapter;
};

/** The workspace's connection with a CRM; null when the name is no CRM's or it is not connected. */
export async function findCrmConnection({ db }: OnDb, name: string): Promise<CrmConnection | null> {
  const provider = isProviderName(name) ? providerOf(name) : null;
  const row = provider?.crm ? await findConnection(db, name) : null;
  if (!provider?.crm || !row) return null;
  const { access_token: token = "" } = openCredentials(row);
  const { displayName, crm } = provider;
  const about = { connectionId: row.id, provider: name as Provider, displayName, portal: row.portalId ?? "" };
  return { ...about, portalName: row.portalName, address: addressOf(provider), token, crm };
}

export async function noteReconciled(ctx: Changing, connectionId: string, to: Date): Promise<void> {
  await markReconciled(ctx.db, connectionId, to);
  tellChanged(ctx);
}

/** The provider answered correctly. */
export async function noteWell(ctx: Changing, provider: Provider): Promise<void> {
  await markWell(ctx.db, provider);
  tellChanged(ctx);
}

/**
 * Shows on the card what went wrong and what to do; returns that sentence. `what`: "Bookings cannot be compared", for
 * example.
 */
export async function noteTrouble(
  ctx: Changing,
  provider: Provider,
  what: string,
  fault: ProviderFault,
): Promise<string> {
  const { db } = ctx;
  const message = adviceOf(provider, what, fault);
  const row = await findConnection(db, provider);
  if (row) await markTrouble(db, row.id, { message, refused: fault.trouble === "refused", webhook: false });
  tellChanged(ctx);
  return message;
}
