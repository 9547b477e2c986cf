import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { providerOf } from "#lib/providers/registry.ts";
import * as contract from "../contract.ts";
import {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  findConnectionById,
  findRefusals,
  hasRemoved,
  insertConnection,
  lockProvider,
  markRemoved,
  renewConnection,
  setWebhookStatus,
} from "../queries.ts";
import { integrationOf } from "../serialize.ts";
import { askProvider, type ProviderPortal, requireProvider } from "./asking.ts";
import { tellChanged } from "./changed.ts";
import { forgiveRefusals } from "./refusals.ts";
import { openSecret, sealCredentials, sealSecret } from "./sealed.ts";
import { forgetting, registering } from "./webhook.ts";

/** After a CRM was connected, or its token replaced: what waited for it goes on. */
export const connectedToCrm = jobKind("connections:connected", {
  label: "Go on with a CRM that was connected",
  ids: ["connection_id"],
  once: true,
});

/** How long an answer waits for the job that calls the provider; the job goes on without it. */
const WAIT_MS = 8_000;
const LOOK_MS = 50;

export const testIntegration = implement(
  contract.testIntegration,
  async (_ctx, _input, { portalName }: ProviderPortal) => ({ ok: true as const, account: portalName }),
  { before: (_caller, input) => askProvider(input) },
);

export const connectIntegration = implement(
  contract.connectIntegration,
  async (ctx, { name = null }, asked: ProviderPortal) => {
    await lockProvider(ctx.db, asked.provider);
    const standing = await findConnection(ctx.db, asked.provider);
    const id = await (standing && isSamePortal(standing, asked)
      ? renew(ctx, standing, asked, name)
      : begin(ctx, standing, asked, name));
    tellChanged(ctx);
    await recordAudit(ctx, "integration.connected", id, { provider: asked.provider, account: asked.portalName });
    const row = await findConnectionById(ctx.db, id);
    if (!row) throw new Error("a connection that was just made is not there");
    return connectedOf(row);
  },
  { before: (_caller, input) => askProvider(input), after: registered },
);

export const disconnectIntegration = implement(
  contract.disconnectIntegration,
  async (ctx, input) => {
    const provider = requireProvider(input.provider);
    await lockProvider(ctx.db, provider);
    const standing = await findConnection(ctx.db, provider);
    if (!standing) throw new Fault("not_connected", { provider });
    await end(ctx, standing);
    tellChanged(ctx);
    await recordAudit(ctx, "integration.disconnected", standing.id, { provider, account: standing.portalName });
    return {};
  },
  { after: forgotten },
);

export const registerAgain = implement(contract.registerAgain, async (ctx, input) => {
  const provider = requireProvider(input.provider);
  await lockProvider(ctx.db, provider);
  const standing = await findConnection(ctx.db, provider);
  if (!standing) throw new Fault("not_connected", { provider });
  if (providerOf(provider).deliveries === "registered") {
    await setWebhookStatus(ctx.db, standing.id, "none");
    await enqueue(ctx.db, registering, { connection_id: standing.id });
    forgiveRefusals(ctx, provider);
    tellChanged(ctx);
  }
  const [row, refusals] = [await findConnection(ctx.db, provider), await findRefusals(ctx.db)];
  return { integration: integrationOf(provider, row, refusals) };
});

/**
 * Portals that a provider does not name count as the same: there is one connection, and nothing to delete elsewhere.
 */
const isSamePortal = (standing: ConnectionRow, asked: ProviderPortal): boolean => standing.portalId === asked.portalId;

async function renew(ctx: Ctx, standing: ConnectionRow, asked: ProviderPortal, name: string | null): Promise<string> {
  const { id } = standing;
  const kept = openSecret(standing);
  const secret = secretOf(asked, kept);
  const unchanged = providerOf(asked.provider).deliveries === "pasted" && secret === kept;
  const webhookStatus = unchanged ? standing.webhookStatus : statusAtFirst(asked);
  await renewConnection(ctx.db, { ...sealed(id, asked, secret), name, webhookStatus });
  await afterSaving(ctx, id, asked);
  return id;
}

async function begin(
  ctx: Ctx,
  standing: ConnectionRow | null,
  asked: ProviderPortal,
  name: string | null,
): Promise<string> {
  if (standing) await end(ctx, standing);
  const id = newId();
  const createdBy = nameOfActor(ctx);
  const { provider } = asked;
  const webhookStatus = statusAtFirst(asked);
  await insertConnection(ctx.db, {
    ...sealed(id, asked, secretOf(asked, null)),
    provider,
    name,
    webhookStatus,
    createdBy,
  });
  await afterSaving(ctx, id, asked);
  return id;
}

/** Removes a connection; the webhook at the provider is deleted by a job, then the row goes. */
async function end(ctx: Ctx, standing: ConnectionRow): Promise<void> {
  if (providerOf(requireProvider(standing.provider)).deliveries !== "registered")
    return deleteConnection(ctx.db, standing.id);
  await markRemoved(ctx.db, standing.id);
  await enqueue(ctx.db, forgetting, { connection_id: standing.id });
}

async function afterSaving(ctx: Ctx, id: string, { provider }: ProviderPortal): Promise<void> {
  forgiveRefusals(ctx, provider);
  if (providerOf(provider).deliveries === "registered") await enqueue(ctx.db, registering, { connection_id: id });
  if (providerOf(provider).crm) await enqueue(ctx.db, connectedToCrm, { connection_id: id });
}

const statusAtFirst = ({ provider }: ProviderPortal) =>
  providerOf(provider).deliveries === "pasted" ? "pending" : "none";

/** Ours for a webhook we register, the provider's where people paste it. */
function secretOf({ provider, credentials }: ProviderPortal, kept: string | null): string | null {
  const { deliveries } = providerOf(provider);
  if (deliveries === "registered") return kept ?? randomBytes(32).toString("hex");
  return deliveries === "pasted" ? (credentials.signing_secret ?? null) : null;
}

function sealed(id: string, asked: ProviderPortal, secret: string | null) {
  const { signing_secret: _, ...credentials } = asked.credentials;
  const { portalId, portalName, ownAddresses, endsAt } = asked;
  return {
    id,
    credentials: sealCredentials(id, credentials),
    signingSecret: secret && sealSecret(id, secret),
    portalId,
    portalName,
    ownAddresses,
    credentialsEndAt: endsAt,
    askedAt: new Date(),
  };
}

function connectedOf(row: ConnectionRow): contract.ConnectAnswer {
  const provider = requireProvider(row.provider);
  const { displayName, deliveries } = providerOf(provider);
  const as = row.portalName ? ` as ${row.portalName}` : "";
  const next = row.message
    ? ` ${row.message}`
    : deliveries === "none"
      ? ""
      : row.webhookStatus === "none"
        ? " The webhook is being registered."
        : " The webhook goes live with its first verified delivery.";
  return {
    ok: true,
    connection: {
      id: row.id,
      provider,
      name: row.name ?? displayName,
      is_verified: row.isVerified,
      webhook_status: row.webhookStatus,
    },
    message: `${displayName} is connected${as}.${next}`,
  };
}

/** Waits a moment for the webhook, so that the answer can say how it went. */
async function registered(caller: Caller, output: contract.ConnectAnswer): Promise<contract.ConnectAnswer> {
  if (providerOf(output.connection.provider).deliveries !== "registered") return output;
  let row: ConnectionRow | null = null;
  await settled(caller, async (db) => {
    row = await findConnectionById(db, output.connection.id);
    return row?.webhookStatus !== "none";
  });
  return row ? connectedOf(row) : output;
}

/** Waits a moment until the webhook is deleted. */
async function forgotten<T>(caller: Caller, output: T, { provider }: { provider: string }): Promise<T> {
  await settled(caller, async (db) => !(await hasRemoved(db, provider)));
  return output;
}

/** Polls for a short time: the job it waits for goes on without it. */
async function settled(caller: Caller, isSo: (db: Db) => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(LOOK_MS)) {
    if (await withWorkspace(caller.workspaceId, isSo, { readOnly: true })) return;
  }
}
